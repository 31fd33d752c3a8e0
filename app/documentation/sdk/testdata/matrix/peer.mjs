// The cases of driver.mjs with a client of Redocly's generate-client.
import { ApiError, TimeoutError, createClient, OPERATIONS } from './client.ts';

const client = createClient(OPERATIONS, {
  serverUrl: process.argv[2], headers: { 'X-Own': 'mine' }, retry: { retries: 2 }, idempotencyKey: true, clientHeader: false,
  auth: { apiKey: { key: 'k1', queryKey: 'k2', cookieKey: 'k3' }, bearer: 'k4', basic: { username: 'user', password: 'pass' } },
});
const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
const get = (id, init) => client.getThing({ path: { id } }, init);

const cases = {
  async success() {
    const thing = await get('ok');
    return `${thing.id} ${thing.big} ${thing.at}`;
  },
  async authentication() {
    const list = [await client.byHeader(), await client.byQuery(), await client.byCookie(), await client.byBearer(), await client.byBasic()];
    return list.map((c) => c.seen).join(' ');
  },
  async missing() {
    try {
      await get('missing');
    } catch (e) {
      if (e instanceof ApiError) return `${e.status} ${e.code} ${e.requestId} ${e.link} ${e.detail}`;
    }
  },
  async conflict() {
    try {
      await get('conflict');
    } catch (e) {
      if (e instanceof ApiError) return `${e.status}`;
    }
  },
  seconds: async () => (await get('seconds')).id,
  date: async () => (await get('date')).id,
  down: async () => (await get('down')).id,
  async slow() {
    try {
      await get('slow', { timeout: 300, retry: { retries: 0 } });
    } catch (e) {
      if (e instanceof TimeoutError) return 'timeout';
    }
  },
  async cancelled() {
    const controller = new AbortController();
    const from = Date.now();
    setTimeout(() => controller.abort(), 300);
    try {
      await get('busy', { signal: controller.signal });
    } catch {
      if (Date.now() - from < 3000) return 'soon';
    }
  },
  redirect: async () => (await get('redirect')).id,
  upload: async () => (await client.upload({ body: { meta: { title: 'é' }, file: new File([bytes], 'a.png', { type: 'image/png' }) } })).id,
  async binary() {
    const got = new Uint8Array(await (await client.download({ path: { id: 'all' } })).arrayBuffer());
    const sent = await client.replaceFile({ path: { id: 'all' }, body: new Blob([bytes], { type: 'application/octet-stream' }) });
    return `${got.length} ${got[255]} ${sent.id}`;
  },
  async nulls() {
    const thing = await client.putThing({ path: { id: 'nulls' }, body: { id: 'nulls', note: null, count: 0, flag: false } });
    return `${thing.note === null ? 'null' : ''} ${'count' in thing ? '' : 'absent'}`;
  },
  async unknown() {
    const thing = await get('unknown');
    return (await client.putThing({ path: { id: 'unknown' }, body: thing })).id;
  },
  enums: async () => (await get('enums')).status,
  async pages() {
    const list = [];
    for await (const thing of client.listThings.items({ query: { limit: 2 } })) list.push(thing.id);
    return list.join('');
  },
  idempotent: async () => (await client.createThing({ body: { id: 'idempotent' } })).id,
};
for (const name of process.argv.slice(3)) {
  let result;
  try {
    result = await cases[name]();
  } catch (e) {
    result = `${e}`.replaceAll('\n', ' ');
  }
  console.log(`${name}: ${result}`);
}
