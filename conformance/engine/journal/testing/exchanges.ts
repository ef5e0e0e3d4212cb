/** For tests: makes recorders, HTTP messages and entries of a journal. A test gives only the members it needs. */
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import type { Entry, ExchangeEntry, StepEntry, StepResult } from '../entry.ts';
import { Recorder } from '../recorder.ts';
import { Knowledge } from '../secrets/knowledge.ts';

/** A recorder whose internal user is `auth`. `patients`: patient data, each value with its name. */
export const openRecorder = (
  clock: Clock = systemClock,
  { password = 'password', patients = new Map<string, string>(), keeping = {} } = {},
) => new Recorder(clock, new Knowledge('auth', password, patients), keeping);

/** A request; these members replace the usual ones. */
export const request = (more: Partial<ExchangeEntry['request']> = {}): ExchangeEntry['request'] => ({
  ...{ httpVersion: '1.1', method: 'POST', path: '/', headers: [], body: '' },
  ...more,
});

/** A response with status 200 and this body, unless `more` says otherwise. */
export const response = (
  body: string,
  more: Partial<NonNullable<ExchangeEntry['response']>> = {},
): NonNullable<ExchangeEntry['response']> => ({ status: 200, headers: [], body, ...more });

/** An exchange between a client and the authorization server, unless `more` says otherwise. */
export const exchange = (seq: number, more: Partial<ExchangeEntry> = {}): ExchangeEntry => ({
  ...{ kind: 'exchange', seq, at: seq, endedAt: seq, link: 'client->auth', request: request(), facts: {} },
  ...more,
});

/** The entries of a step, which begins at `seq` and ends at the next number, with this result. */
export const playedStep = (
  seq: number,
  about: Pick<StepEntry, 'scenario' | 'label'> & Partial<StepEntry>,
  result: StepResult = { kind: 'done', values: {} },
): [Entry, Entry] => [
  { kind: 'step', seq, at: seq, user: 'Ann', step: 'confirmOtp', ...about },
  { kind: 'outcome', seq: seq + 1, at: seq + 1, scenario: about.scenario, step: seq, took: 1, result },
];
