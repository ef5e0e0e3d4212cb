import { expect, test } from 'vitest';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { randomToken, seededRandom } from '#protocol/time/random.ts';
import type { Verdict } from './engine/check/verdict.ts';
import { loadAdapter } from './roles/auth-server/adapter/file/load.ts';
import { type Answer, send, startFakeServer } from './roles/auth-server/adapter/testing/fake-server.ts';
import { scenarios } from './roles/auth-server/flows/index.ts';
import { playAll } from './roles/auth-server/people/play.ts';
import { judge } from './roles/judge.ts';
import { inDirectory } from './testing/cli.ts';
import { openTestRun } from './testing/open-test-run.ts';
import { type PlainFile, writePlainFile } from './testing/plain-file.ts';

/** An adapter file for a running server with fixed codes. */
function runningAt(url: string) {
  return (file: PlainFile) => {
    file.server = { url };
    file.ports = {};
    file.otp = { fixed: { code: '123456' }, resendAfterSeconds: 0 };
  };
}

const STARTED = Date.UTC(2026, 0, 15, 9);

/** Stops the time: these servers are judged by their answers, not by their speed on a busy machine. */
const clock: Clock = { ...systemClock, now: () => STARTED };

/** Judges such a server by all scenarios, without the doctor. */
async function judged(answer: Answer): Promise<Verdict[]> {
  const { url } = await startFakeServer(answer);
  return inDirectory(async (directory) => {
    const run = await openTestRun(await loadAdapter(writePlainFile(directory, runningAt(url)), {}), {
      clock,
    });
    try {
      await playAll(run.driver, scenarios);
      const meta = run.meta({ tool: 'test', finished: true });
      return judge({ meta, entries: run.bed.recorder.entries() });
    } finally {
      await run.close();
    }
  });
}

const random = seededRandom(1);
const fresh = () => randomToken(random);

const green = (verdicts: readonly Verdict[]) =>
  verdicts.filter(({ outcome }) => outcome === 'pass').map(({ check }) => check);

const refusesAll: Answer = { status: 401, body: { problem: 'no' } };

/** Checks that pass on a server which signs anybody in: it reveals no codes and draws its sessions itself. */
const SEEN_OF_CODES = [
  'code-length',
  'code-not-shown',
  'code-to-one-phone',
  'doubled-members-not-confused',
  'known-and-unknown-alike',
  'newest-code-after-two-requests',
  'nobody-else-named',
  'session-token-drawn-by-server',
  'session-tokens-unique',
];

/** A whole run, on a machine that is busy with other tests. */
const PLAY_TIMEOUT_MS = 120_000;

test(
  'a server that signs everybody in passes no check that needs a refusal',
  async () => {
    const yes: Answer = (_request, response) => {
      const body = {
        account: { id: fresh() },
        session: { bearer: fresh(), validMinutes: 60 },
        ticket: fresh(),
      };
      send(response, { body });
    };
    // Its clients get different sessions and tokens on every device; nothing more is proven.
    expect(green(await judged(yes)).sort()).toEqual(
      [
        ...SEEN_OF_CODES,
        'code-request-ends-no-session',
        'exchange-token-asked-again',
        'exchange-token-new-each-time',
        'exchange-token-of-one-session',
        'exchange-tokens-at-once-differ',
        'foreign-origin-not-allowed',
        'foreign-origin-not-allowed-cookies',
        'logout-leaves-other-devices',
        'newest-outlives-older-logout',
        'no-trace-told',
        'second-sign-in-leaves-first',
        'session-after-logout-is-new',
      ].sort(),
    );
  },
  PLAY_TIMEOUT_MS,
);

test(
  'a server that refuses signed-in users passes no check of what it refuses',
  async () => {
    const verdicts = await judged(({ path }, response) => {
      if (path === '/login/start') send(response, { status: 202, body: {} });
      else if (path === '/login/confirm')
        send(response, {
          body: { account: { id: fresh() }, session: { bearer: fresh(), validMinutes: 60 } },
        });
      else send(response, refusesAll as object);
    });
    expect(green(verdicts).sort()).toEqual(SEEN_OF_CODES);
  },
  PLAY_TIMEOUT_MS,
);
