/**
 * The functions that a script needs, as they are written into it: plain JavaScript, of which only those
 * that the case uses are taken.
 */
import { codeFunctions } from './code-functions.ts';

/** The functions of a script, by name, in the order in which they are written. */
const functionTexts: Readonly<Record<string, string>> = {
  ask: `
/** Sends a request, and returns the whole answer. What is an object is sent as JSON. */
async function ask(label, method, url, { headers = {}, json, body } = {}) {
  calls.push(label);
  asked.push(json);
  const text = json === undefined ? body : JSON.stringify(json);
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const options = { method, headers: { accept: 'application/json', ...type, ...headers }, redirect: 'manual' };
  const began = performance.now();
  const ended = () => ({ at: performance.now(), took: performance.now() - began });
  try {
    const reply = await fetch(url, { ...options, body: text, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answer = { status: reply.status, headers: reply.headers, body: await reply.text() };
    return { ...answer, ...ended(), label, json: jsonOf(answer.body) };
  } catch (error) {
    const why = error.cause?.code ?? error.name;
    if (why === 'ECONNREFUSED' && calls.length === 1)
      throw new NotPlayed('nothing answers at ' + new URL(url).origin + '. Please start the server, or name its address in SERVER.');
    return { status: 0, headers: new Headers(), body: '', ...ended(), label, broke: why };
  }
}`,
  step: `
/** A call that has to succeed before the fault can show. */
async function step(...call) {
  const answer = await ask(...call);
  if (!done(answer)) throw new NotPlayed('"' + answer.label + '" ought to succeed, and did not: ' + shown(answer));
  return answer;
}`,
  help: `
/** A request to the test set-up, such as to move the clock of the server. */
async function help(method, url, options) {
  const answer = await ask('a helper', method, url, options);
  if (answer.broke || answer.status >= 300) throw new NotPlayed(method + ' ' + url + ' of the test set-up: ' + shown(answer));
  return answer;
}`,
  restart: `
/** Restarts the server by the command of the environment variable RESTART. */
async function restart() {
  if (process.env.RESTART === undefined)
    throw new NotPlayed('RESTART is not set: please set it to a command that restarts the server, and waits for it.');
  execSync(process.env.RESTART, { stdio: 'ignore' });
}`,
  jsonOf: `
function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}`,
  at: `
/** The value at a JSON Pointer. */
function at(json, pointer) {
  const names = pointer.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce((value, name) => (value === null || value === undefined ? undefined : value[name]), json);
}`,
  taken: `
/** A value of an answer that a later call needs. */
function taken(answer, place) {
  const value = place.startsWith('/')
    ? at(answer.json, place)
    : place.startsWith('cookie ')
      ? cookie(answer, place.slice(7))
      : answer.headers.get(place);
  if (value === undefined || value === null)
    throw new NotPlayed('the answer to "' + answer.label + '" has no ' + place + ': ' + shown(answer));
  return String(value);
}`,
  cookie: `
function cookie(answer, name) {
  const set = answer.headers.getSetCookie().findLast((line) => line.startsWith(name + '='));
  return set?.slice(name.length + 1).split(';')[0];
}`,
  shown: `
const shown = ({ status, body, broke }) => (broke ? 'no answer (' + broke + ')' : 'HTTP ' + status + ' ' + body.slice(0, 200));`,
  done: `
/** Whether a call did what it is for: a success that is no JSON-RPC error. */
function done({ status, json }, ...needed) {
  const error = Array.isArray(json) ? json[0]?.error : json?.error;
  return status >= 200 && status < 300 && !error && needed.every((place) => at(json, place) !== undefined);
}`,
  told: `
/** Whether a call was answered so that a client knows what is wrong: no silence, no internal error. */
function told({ status, json, broke }) {
  return !broke && status < 500 && json?.error?.code !== -32603;
}`,
  must: String.raw`
/** The assertion: what has to hold, and what was there instead. */
function must(holds, sentence, seen) {
  if (!holds) throw new Fails(sentence + '\n  seen: ' + (typeof seen === 'object' && seen ? shown(seen) : seen));
}`,
  otherCase: `
const otherCase = (text) => text.replace(/[A-Za-z]/g, (char) => (char < 'a' ? char.toLowerCase() : char.toUpperCase()));`,
  changedAt: String.raw`
/** The text with one other character at this place. The last one of base64 has few bits: its highest is changed. */
function changedAt(text, place) {
  const index = place < 0 ? text.length + place : place;
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const from = base64.indexOf(text[index]);
  const kind = /\d/.test(text[index]) ? '0123456789' : /^[0-9a-f-]+$/.test(text) ? 'abcdef' : undefined;
  const other = kind ? kind[(kind.indexOf(text[index]) + 1) % kind.length] : base64[from ^ 32] ?? base64[from ^ 48];
  return text.slice(0, index) + other + text.slice(index + 1);
}`,
  spelled: `
/** The value in another spelling: each # is its next character. */
function spelled(value, pattern) {
  let index = 0;
  return pattern.replaceAll('#', () => value[index++]);
}`,
  inDigits: `
const inDigits = (digits, offset) => [...digits].map((digit) => String.fromCodePoint(digit.codePointAt(0) + offset)).join('');`,
  reordered: `
const reordered = (text, order) => order.map((index) => text[index]).join('');`,
  digest: `
/** The digest that proves a call of the internal channel: SHA-1 of the password, directly followed by the secret. */
function digest(secret) {
  if (PASSWORD === undefined) throw new NotPlayed('INTERNAL_PASSWORD is not set: please set it to the password of the internal channel.');
  return createHash('sha1').update(PASSWORD + secret).digest('hex');
}`,
  hashed: `
/** A digest as it must not be. */
const hashed = (name, ...parts) => parts.reduce((hash, part) => hash.update(part), createHash(name)).digest('hex');`,
  hmac: `
const hmac = (key, text) => createHmac('sha1', key).update(text).digest('hex');`,
  base64: `
const base64 = (bytes) => Buffer.from(bytes).toString('base64');`,
  latin1: `
/** The bytes of a text in UTF-8, as a header takes them. */
const latin1 = (text) => Buffer.from(text).toString('latin1');`,
  contains: String.raw`
/** Whether an answer has a value in it, also as a hash or in base64. */
function contains({ headers, body }, value) {
  const text = [...headers].flat().join('\n') + body;
  const hashes = ['sha1', 'sha256', 'md5'].map((name) => createHash(name).update(value).digest('hex'));
  return [value, Buffer.from(value).toString('base64').replace(/=+$/, ''), ...hashes].some((form) => text.includes(form));
}`,
  pause: `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`,
  drawn: `
/** A phone that was never used before: each # is a digit that is drawn now. */
const drawn = (pattern) => pattern.replaceAll('#', () => String(randomInt(10)));`,
};

/** What every script ends with. `open` starts the servers of the script, and returns what closes them. */
export const runText = `
class Fails extends Error {}
class NotPlayed extends Error {}
const calls = [];
const asked = [];

async function run() {
  const close = await open();
  try {
    await play();
    console.log('holds');
  } catch (error) {
    const isFault = error instanceof Fails;
    process.exitCode = isFault ? 1 : 2;
    console.log((isFault ? 'fails: ' : 'could not be played: ') + (isFault || error instanceof NotPlayed ? error.message : error.stack));
  } finally {
    await close();
  }
}

await run();
`;

/** The functions that this text uses, and those that they use. */
export function functionsFor(text: string, more: Readonly<Record<string, string>> = {}): string {
  const all = { ...functionTexts, ...codeFunctions, ...more };
  const wanted = new Set<string>();
  const need = (text: string) => {
    // A word of a comment needs no function.
    const code = text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const [name, own] of Object.entries(all))
      if (!wanted.has(name) && new RegExp(`(?<![.\\w'"])${name}\\b(?!['"]?:)`).test(code)) {
        wanted.add(name);
        need(own);
      }
  };
  need(text);
  return Object.entries(all)
    .filter(([name]) => wanted.has(name))
    .map(([, own]) => own)
    .join('\n');
}
