/** The person that the script of a case plays for a client: functions that are written into the script. */

/** What a person is asked for beside the actions. */
export const LEAVE = 'Close the client, as when you leave it for today.';
export const START_OVER = 'Remove all that the client keeps, such as its storage, and open it again.';

/** For a client that is a program: the script starts it, and tells it what a person does. */
export const programFunctions: Readonly<Record<string, string>> = {
  act: `
/** Has the client do what a person does: a line of JSON for each action, answered by what the person sees. */
async function act(label, actions, screen) {
  calls.push(label);
  const answer = { label, number: calls.length, status: 0, headers: [], body: '' };
  client ??= start();
  const lines = await Promise.all([actions].flat().map(client.tell));
  const seen = lines.map((line) => jsonOf(line ?? '{}'));
  const json = seen.at(-1);
  answer.headers = [['log', client.log()], ['storage', stored(STORAGE)]];
  if (typeof json?.sees !== 'string') answer.broke = client.ended ?? 'it said ' + JSON.stringify(lines.at(-1));
  else Object.assign(answer, { status: 200, json, body: lines.at(-1), all: seen.map((each) => each?.sees).join() });
  if (screen !== undefined && json?.sees !== screen)
    throw new NotPlayed('"' + label + '" ought to lead to the screen ' + screen + ', and did not: ' + shown(answer));
  return answer;
}`,
  client: `
/** The client, while it runs. */
let client;`,
  start: `
/** Starts the client. */
function start() {
  const [program, ...options] = COMMAND();
  const child = spawn(program, options, { cwd: FOLDER, env: { ...process.env, ...ENV } });
  const waiting = [];
  let log = '';
  const running = {
    child,
    ended: undefined,
    /** What it has written to standard error since the last time. */
    log() {
      const said = log;
      log = '';
      return said;
    },
    tell: (action) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        if (running.ended !== undefined) return resolve(undefined);
        child.stdin.write(JSON.stringify(action) + '\\n');
        setTimeout(resolve, TIMEOUT_MS).unref();
      }),
  };
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk) => (log += chunk));
  running.closed = new Promise((resolve) => {
    const close = (how) => {
      running.ended ??= how;
      for (const each of waiting.splice(0)) each(undefined);
      resolve();
    };
    child.on('error', (error) => close('it does not start: ' + error.message));
    child.on('close', (code) => close('it ended with code ' + code));
  });
  return running;
}`,
  stored: `
/** What the client has stored, in a file or in a folder of files. */
function stored(path) {
  if (!existsSync(path)) return '';
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8');
  return readdirSync(path).map((name) => stored(join(path, name))).join('\\n');
}`,
  STORAGE: `
const OWN_FOLDER = mkdtempSync(join(tmpdir(), 'case-'));
const STORAGE = join(OWN_FOLDER, 'storage');
process.on('exit', () => rmSync(OWN_FOLDER, { recursive: true, force: true }));`,
  leave: `
/** The person leaves the client, which then ends by itself. */
async function leave(label) {
  calls.push(label);
  const answer = { label, number: calls.length, status: 200, headers: [], body: '', json: {} };
  client?.child.stdin.end();
  const late = setTimeout(() => client?.child.kill('SIGKILL'), LEAVE_MS);
  await client?.closed;
  clearTimeout(late);
  client = undefined;
  return answer;
}`,
  startOver: `
/** The client is removed with all that it has stored, and installed again. */
async function startOver() {
  calls.push('starts over');
  await end();
}`,
  end: `
/** Ends the client, and removes what it has stored. */
async function end() {
  client?.child.kill('SIGKILL');
  await client?.closed;
  client = undefined;
  rmSync(STORAGE, { recursive: true, force: true });
}`,
};

/** For a client that a person uses: the script says what to do, and waits. */
export const handFunctions: Readonly<Record<string, string>> = {
  act: `
/** Tells the person at the client what to do, and waits for Enter. */
async function act(label, ...todo) {
  calls.push(label);
  console.log(calls.length + '. ' + todo.join(''));
  const line = await lines.next();
  if (line.done) throw new NotPlayed('nobody is at the terminal: press Enter when you have done what a line says');
  return { label, number: calls.length, status: 200, headers: [], body: '' };
}`,
  lines: `
/** The lines that somebody types at the terminal. */
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();`,
  leave: `
const leave = (label) => act(label, '${LEAVE}');`,
  startOver: `
const startOver = () => act('starts over', '${START_OVER}');`,
  end: `
const end = () => lines.return();`,
  admit: `
/** Lets a page of any origin read the answers. Returns whether a browser only asks for that. */
function admit(request, response) {
  const { origin, 'access-control-request-headers': asked = 'content-type' } = request.headers;
  if (origin === undefined) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-headers', asked);
  response.setHeader('connection', 'close');
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204).end();
  return true;
}`,
};
