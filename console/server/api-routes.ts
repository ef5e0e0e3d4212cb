/**
 * The routes below `/api/`, whatever carries a request: HTTP, or a port of the page that the whole demo runs in.
 * `console/api.ts` describes them.
 */
import { z } from 'zod';
import { personaList } from '#mis-fixtures/personas.ts';
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import { armFault, moment, moveClock, playScenario, takeSnapshot, textTrouble } from '../api/bodies.ts';
import type { MessageDetail, Overview, PlayScenario, Refusal, Replay } from '../api.ts';
import type { DemoWorld } from './demo-world.ts';
import type { EventSink } from './events.ts';
import { NotFound, Refused } from './refused.ts';
import { replayOf } from './run-json.ts';
import { scenarios } from './scenarios/list.ts';
import type { Player } from './scenarios/player.ts';
import { faultKinds, interfaceErrors } from './wires/faults.ts';
import { detailOf } from './wires/rows.ts';

/** `path` stands below `/api/`, and `body` is JSON that was read. */
type ConsoleRequest = { method: string; path: string; showsSecrets: boolean; body: unknown };

/** An answer in JSON. `file` names a download. */
type ConsoleAnswer = { status: number; json: string; file?: string };

/** What a request names beside its body. `showsSecrets`: messages are not masked. */
type Asked = { id: number; showsSecrets: boolean };
type Method = 'GET' | 'POST' | 'DELETE';
/** `file` names a download. */
type Route = { at: `${Method} ${string}`; file?: string; answer: Answer; body?: z.ZodType };
type Answer = (world: DemoWorld, asked: Asked, body: never) => unknown;

/** A route that takes a body. */
const taking = <Body>(
  at: Route['at'],
  body: z.ZodType<Body>,
  answer: (world: DemoWorld, body: Body) => unknown,
): Route => ({ at, body, answer: (world, _asked, given: Body) => answer(world, given) });

const routes: readonly Route[] = [
  { at: 'GET overview', answer: overviewOf },
  { at: 'GET messages', answer: ({ feed }, { showsSecrets }) => feed.rows(showsSecrets) },
  { at: 'GET messages/:id', answer: detailIn },
  {
    at: 'GET messages/:id/har',
    file: 'message-:id.har',
    answer: (world, asked) => harOf([harEntryOf(detailIn(world, asked))], world.parts.version),
  },
  { at: 'GET state', answer: ({ stateWatch }) => stateWatch.current() },
  { at: 'GET verdicts', answer: ({ judge }) => judge.verdicts() },
  { at: 'GET phone', answer: ({ phone }) => phone.texts() },
  { at: 'GET run.json', file: 'run.json', answer: (world) => world.savedRun() },
  { at: 'GET clock', answer: ({ demoClock }) => demoClock.state() },
  taking('POST clock', moveClock, (world, move) => world.move(move)),
  { at: 'GET faults', answer: ({ faults }) => faults.list() },
  taking('POST faults', armFault, ({ faults }, fault) => faults.arm(fault)),
  { at: 'DELETE faults', answer: ({ faults }) => faults.disarmAll() },
  { at: 'DELETE faults/:id', answer: ({ faults }, { id }) => faults.disarm(id) },
  taking('POST text-trouble', textTrouble, ({ phone }, trouble) => phone.setTrouble(trouble)),
  taking('POST scenario', playScenario, ({ player }, wanted) => played(player, wanted)),
  { at: 'GET moment', answer: ({ situation }) => situation.moment() },
  taking('POST moment', moment, ({ situation }, opened) => situation.open(opened)),
  { at: 'GET snapshots', answer: ({ situation }) => situation.snapshots() },
  taking('POST snapshots', takeSnapshot, ({ situation }, { name }) => situation.takeSnapshot(name)),
  { at: 'DELETE snapshots/:id', answer: ({ situation }, { id }) => situation.deleteSnapshot(id) },
  { at: 'POST snapshots/:id/restore', answer: ({ situation }, { id }) => situation.restore(id) },
  {
    at: 'POST reset',
    async answer({ player, situation }) {
      await player.takeOver();
      return situation.reset();
    },
  },
  { at: 'POST replay', body: z.unknown(), answer: replayed },
];

/** Answers, or refuses with the reason. @throws Error of a mistake in the console itself */
export async function answerTo(world: DemoWorld, request: ConsoleRequest): Promise<ConsoleAnswer> {
  try {
    const { route, id } = routeOf(request);
    const body = route.body && bodyOf(route.body, request.body);
    const answered = await route.answer(world, { id, showsSecrets: request.showsSecrets }, body as never);
    // A text is JSON already.
    const json = typeof answered === 'string' ? answered : JSON.stringify(answered);
    return { status: 200, json, ...(route.file && { file: route.file.replace(':id', String(id)) }) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, reason, message } = error;
    return { status, json: JSON.stringify({ error: { reason, message } } satisfies Refusal) };
  }
}

/** The events of the world, after those of the moment at which the stream begins. */
export async function openEvents(
  world: DemoWorld,
  sink: EventSink,
  showsSecrets: boolean,
): Promise<() => void> {
  await world.stateWatch.current();
  return world.hub.open(sink, showsSecrets, overviewOf(world));
}

function routeOf({ method, path }: ConsoleRequest): { route: Route; id: number } {
  const asked = `${method} ${path}`;
  const [, id = ''] = /\/([^/]+)/.exec(path) ?? [];
  const route =
    routes.find(({ at }) => at === asked) ?? routes.find(({ at }) => at.replace(':id', id) === asked);
  if (!route) throw new NotFound('The console has no such route.');
  return { route, id: Number(id) };
}

function bodyOf(schema: z.ZodType, given: unknown): unknown {
  const body = schema.safeParse(given);
  if (body.success) return body.data;
  const [issue] = body.error.issues;
  const place = issue?.path.join('.') || 'the body';
  throw new Refused(
    400,
    'invalid',
    `Please look at ${place}: ${issue?.message ?? 'it is not what is expected'}`,
  );
}

function detailIn({ feed, stateWatch, judge }: DemoWorld, { id, showsSecrets }: Asked): MessageDetail {
  const found = feed.message(id, showsSecrets);
  if (!found) throw new NotFound('There is no such message, or it was so long ago that it is not kept.');
  const about = { changes: stateWatch.changesBy(id), verdicts: judge.verdictsOn(id) };
  return { ...detailOf(found.entry, found.message), ...about };
}

function played(player: Player, { do: what, id, paceMs }: PlayScenario): unknown {
  if (what === 'pause') return player.pause();
  if (what === 'takeOver') return player.takeOver();
  return what === 'play' ? player.play(id, paceMs) : player.step(id);
}

function replayed(world: DemoWorld, _asked: Asked, run: unknown): Promise<Replay> {
  const refuse = ({ message }: Error) => Promise.reject(new Refused(400, 'no_run', message));
  return replayOf(run, world.parts.nextTurn).catch(refuse);
}

const people = personaList.map(({ name, title, outcome, signIn, typed }) => ({
  name,
  title,
  outcome,
  signIn,
  typed,
}));

function overviewOf(world: DemoWorld): Overview {
  const { parts, demoClock, faults, phone, player, feed } = world;
  return {
    version: parts.version,
    seed: parts.seed,
    addresses: parts.addresses,
    clock: demoClock.state(),
    people,
    faults: faults.list(),
    faultKinds,
    errors: interfaceErrors,
    textTrouble: phone.trouble,
    scenarios: scenarios.map(({ id, title, sentence, steps }) => {
      return { id, title, sentence, steps: steps.map(({ text }) => text) };
    }),
    scenario: player.state,
    alarm: feed.alarm,
    ...(parts.isInPage && { isInPage: true }),
  };
}
