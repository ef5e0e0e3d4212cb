/** The routes below `/api/`: what the page and curl may ask for. `console/api.ts` describes them. */
import type { Express, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import { armFault, moment, moveClock, playScenario, takeSnapshot, textTrouble } from '../api/bodies.ts';
import type { MessageDetail, PlayScenario } from '../api.ts';
import { refuse } from './guard.ts';
import { overviewOf } from './overview.ts';
import { NotFound, Refused } from './refused.ts';
import { replayOf } from './run-json.ts';
import type { Player } from './scenarios/player.ts';
import { detailOf } from './wires/rows.ts';
import type { DemoWorld } from './worlds/world.ts';

/** A run of the kit with all its scenarios has some megabytes. Its text alone is read in one piece. */
const MAX_RUN_BYTES = 32 * 1024 * 1024;
const TOO_LARGE = `The file has more than ${MAX_RUN_BYTES / 1024 / 1024} MB. Please judge it by: npm run conformance -- replay FILE --report DIRECTORY`;

/** What a request names beside its body. `isClear`: messages are not masked. */
type Asked = { id: number; isClear: boolean };
type Method = 'get' | 'post' | 'delete';
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
  { at: 'get overview', answer: overviewOf },
  { at: 'get messages', answer: ({ feed }, { isClear }) => feed.rows(isClear) },
  { at: 'get messages/:id', answer: detailIn },
  {
    at: 'get messages/:id/har',
    file: 'message-:id.har',
    answer: (world, asked) => harOf([harEntryOf(detailIn(world, asked))], world.options.version),
  },
  { at: 'get state', answer: ({ stateWatch }) => stateWatch.current() },
  { at: 'get verdicts', answer: ({ judge }) => judge.verdicts() },
  { at: 'get phone', answer: ({ phone }) => phone.texts() },
  { at: 'get run.json', file: 'run.json', answer: (world) => world.savedRun() },
  { at: 'get clock', answer: ({ demoClock }) => demoClock.state() },
  taking('post clock', moveClock, (world, move) => world.move(move)),
  { at: 'get faults', answer: ({ faults }) => faults.list() },
  taking('post faults', armFault, ({ faults }, fault) => faults.arm(fault)),
  { at: 'delete faults', answer: ({ faults }) => faults.disarmAll() },
  { at: 'delete faults/:id', answer: ({ faults }, { id }) => faults.disarm(id) },
  taking('post text-trouble', textTrouble, ({ phone }, trouble) => phone.setTrouble(trouble)),
  taking('post scenario', playScenario, ({ player }, wanted) => played(player, wanted)),
  { at: 'get moment', answer: ({ situation }) => situation.moment() },
  taking('post moment', moment, ({ situation }, opened) => situation.open(opened)),
  { at: 'get snapshots', answer: ({ situation }) => situation.snapshots() },
  taking('post snapshots', takeSnapshot, ({ situation }, { name }) => situation.takeSnapshot(name)),
  { at: 'post snapshots/:id/restore', answer: ({ situation }, { id }) => situation.restore(id) },
  {
    at: 'post reset',
    async answer({ player, situation }) {
      await player.takeOver();
      return situation.reset();
    },
  },
];

export function apiRoutes(world: DemoWorld): AddRoutes {
  return (app, from) => {
    const json = from.json({ limit: '100kb' });
    for (const route of routes) {
      const [method, path] = route.at.split(' ') as [Method, string];
      app[method](`/api/${path}`, ...(route.body ? [json] : []), handlerOf(route, world));
    }
    app.get('/api/events', async (request, response) => {
      await world.stateWatch.current();
      world.hub.open(response, askedBy(request).isClear, overviewOf(world));
    });
    addReplay(app, from.json({ limit: MAX_RUN_BYTES }));
    app.use('/api', (_request, response) =>
      refuse(response, 404, 'not_found', 'The console has no such route.'),
    );
  };
}

/** Sends the answer of a route as JSON, or refuses. A text is JSON already. */
function handlerOf({ file, body: schema, answer }: Route, world: DemoWorld): RequestHandler {
  return async (request, response) => {
    try {
      const asked = askedBy(request);
      const body = schema && bodyOf(schema, request.body);
      const answered = await answer(world, asked, body as never);
      if (file !== undefined) {
        const name = file.replace(':id', String(asked.id));
        response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
      }
      if (typeof answered === 'string') response.type('json').send(answered);
      else response.json(answered);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(response, error.status, error.reason, error.message);
    }
  };
}

function askedBy({ params, query }: Request): Asked {
  return { id: Number(params.id), isClear: query.secrets === 'show' };
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

function detailIn({ feed, stateWatch, judge }: DemoWorld, { id, isClear }: Asked): MessageDetail {
  const found = feed.message(id, isClear);
  if (!found) throw new NotFound('There is no such message, or it was so long ago that it is not kept.');
  const about = { changes: stateWatch.changesBy(id), verdicts: judge.verdictsOn(id) };
  return { ...detailOf(found.entry, found.message), ...about };
}

function played(player: Player, { do: what, id }: PlayScenario): unknown {
  if (what === 'pause') return player.pause();
  if (what === 'takeOver') return player.takeOver();
  return what === 'play' ? player.play(id) : player.step(id);
}

function addReplay(app: Express, json: RequestHandler): void {
  const read: RequestHandler = (request, response, next) => {
    const isTooLarge = (error: unknown) => (error as { status?: number } | undefined)?.status === 413;
    json(request, response, (error) =>
      isTooLarge(error) ? refuse(response, 413, 'too_large', TOO_LARGE) : next(error),
    );
  };
  app.post('/api/replay', read, async (request: Request, response: Response) => {
    try {
      response.json(await replayOf(request.body));
    } catch (error) {
      refuse(response, 400, 'no_run', (error as Error).message);
    }
  });
}
