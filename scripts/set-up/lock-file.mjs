/** One process at a time works in this directory. The lock survives its holder. Needs nothing installed. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { progress } from './progress.mjs';

/** The holder touches the file at this interval (ms). */
const BEAT_MS = 1_000;
/** After so many missed beats the lock is stale, even if another process now has the holder's id. */
const STALE_BEATS = 180;

/** Runs `work` under the lock, which holds until the helpers that `work` reports have ended, too. */
export async function withLock(file, what, work, beat = BEAT_MS) {
  mkdirSync(dirname(file), { recursive: true });
  await take(file, what, beat);
  const heart = setInterval(() => touch(file), beat);
  const release = () => rmSync(file, { force: true });
  process.on('exit', release);
  try {
    await work((pid) => appendFileSync(file, ` ${pid}`));
  } finally {
    clearInterval(heart);
    process.off('exit', release);
    release();
  }
}

async function take(file, what, beat) {
  let waiting;
  let seen = '';
  let unchanged = 0;
  while (!create(file)) {
    const owner = look(file);
    if (owner === undefined) continue;
    unchanged = owner.state === seen ? unchanged + 1 : 0;
    seen = owner.state;
    if ((!owner.alive || unchanged >= STALE_BEATS) && removeStale(file, owner.state)) continue;
    if (waiting === undefined) waiting = progress(`Waiting for another ${what} (process ${owner.pid})`);
    await new Promise((resolve) => setTimeout(resolve, beat));
  }
  if (waiting !== undefined) waiting.clear();
}

function create(file) {
  try {
    writeFileSync(file, `${hostname()} ${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Reads the holder of the lock. Returns undefined when the lock has just been released. */
function look(file) {
  try {
    const text = readFileSync(file, 'utf8');
    const [host, ...pids] = text.split(' ');
    // The text is empty while it is being written. For a holder on another machine, only its beat counts.
    const alive = text === '' || host !== hostname() || pids.some((pid) => isAlive(Number(pid)));
    return { pid: pids[0], alive, state: text + statSync(file).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A slow process must not remove the fresh lock of a fast one: they take turns, and each checks again. */
function removeStale(file, state) {
  const guard = `${file}.stale`;
  if (!create(guard)) {
    const owner = look(guard);
    if (owner !== undefined && !owner.alive) rmSync(guard, { force: true });
    return false;
  }
  try {
    const owner = look(file);
    if (owner !== undefined && owner.state === state) rmSync(file, { force: true });
    return true;
  } finally {
    rmSync(guard, { force: true });
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
