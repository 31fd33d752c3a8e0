import { APIError, AbortedError, Client, ConflictError, NotFoundError, TimeoutError } from 'matrix';

const client = new Client({
  baseURL: process.argv[2], key: 'k1', queryKey: 'k2', cookieKey: 'k3', token: 'k4', login: 'user:pass', headers: { 'X-Own': 'mine' },
});
const { things, auth } = client;
const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);

const cases = {
  async success() {
    const thing = await things.getThing({ id: 'ok' });
    return `${thing.id} ${thing.big} ${thing.at}`;
  },
  async authentication() {
    const list = [await auth.byHeader(), await auth.byQuery(), await auth.byCookie(), await auth.byBearer(), await auth.byBasic()];
    return list.map((c) => c.seen).join(' ');
  },
  async missing() {
    try {
      await things.getThing({ id: 'missing' });
    } catch (e) {
      if (e instanceof NotFoundError && e instanceof APIError) return `${e.status} ${e.code} ${e.requestId} ${e.link} ${e.detail}`;
    }
  },
  async conflict() {
    try {
      await things.getThing({ id: 'conflict' });
    } catch (e) {
      if (e instanceof ConflictError) return `${e.status}`;
    }
  },
  seconds: async () => (await things.getThing({ id: 'seconds' })).id,
  date: async () => (await things.getThing({ id: 'date' })).id,
  down: async () => (await things.getThing({ id: 'down' })).id,
  async slow() {
    try {
      await things.getThing({ id: 'slow' }, { timeout: 300, maxRetries: 0 });
    } catch (e) {
      if (e instanceof TimeoutError) return 'timeout';
    }
  },
  async cancelled() {
    const controller = new AbortController();
    const from = Date.now();
    setTimeout(() => controller.abort(), 300);
    try {
      await things.getThing({ id: 'busy' }, { signal: controller.signal });
    } catch (e) {
      if (e instanceof AbortedError && Date.now() - from < 3000) return 'soon';
    }
  },
  redirect: async () => (await things.getThing({ id: 'redirect' })).id,
  upload: async () => (await things.upload({ body: { meta: { title: 'é' }, file: { name: 'a.png', data: bytes } } })).id,
  async binary() {
    const got = await (await things.download({ id: 'all' })).bytes();
    const sent = await things.replaceFile({ id: 'all', body: bytes });
    return `${got.length} ${got[255]} ${sent.id}`;
  },
  async nulls() {
    const thing = await things.putThing({ id: 'nulls', body: { id: 'nulls', note: null, count: 0, flag: false } });
    return `${thing.note === null ? 'null' : ''} ${'count' in thing ? '' : 'absent'}`;
  },
  async unknown() {
    const thing = await things.getThing({ id: 'unknown' });
    return (await things.putThing({ id: 'unknown', body: thing })).id;
  },
  enums: async () => (await things.getThing({ id: 'enums' })).status,
  async pages() {
    const list = [];
    for await (const thing of things.listThingsAll({ limit: 2 })) list.push(thing.id);
    return list.join('');
  },
  idempotent: async () => (await things.createThing({ body: { id: 'idempotent' } })).id,
};
for (const name of process.argv.slice(3)) {
  let result;
  try {
    result = await cases[name]();
  } catch (e) {
    result = `${e.stack}`.replaceAll('\n', ' ');
  }
  console.log(`${name}: ${result}`);
}
