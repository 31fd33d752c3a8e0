import { Client } from 'matrix';

const url = process.argv[2];
const client = new Client({ baseURL: url, key: 'k1' });
const library = () => client.things.getThing({ id: 'ok' });
const hand = async () => {
  const response = await fetch(`${url}/things/${encodeURIComponent('ok')}`, { headers: { Accept: 'application/json', 'X-Key': 'k1' }, signal: AbortSignal.timeout(30000) });
  if (!response.ok) throw new Error(response.status);
  return response.json();
};
const time = async (call) => {
  const from = performance.now();
  for (let i = 0; i < 500; i++) await call();
  return (performance.now() - from) / 500;
};
const best = { library: Infinity, hand: Infinity };
await time(library);
await time(hand);
for (let round = 0; round < 5; round++) {
  best.library = Math.min(best.library, await time(library));
  best.hand = Math.min(best.hand, await time(hand));
}
console.log(JSON.stringify(best));
