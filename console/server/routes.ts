/** The routes below `/api/`: what the page and curl may ask for. `console/api.ts` describes them. */
import type { Express, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { harEntryOf, harOf } from '#protocol/wire/har.ts';
import type { AddRoutes } from '#service/http/lazy-express.ts';
import type { MessageDetail } from '../api.ts';
import { armFault, moment, moveClock, playScenario, takeSnapshot, textTrouble } from './bodies.ts';
import { ClockError } from './demo-clock.ts';
import { refuse } from './guard.ts';
import { overviewOf } from './overview.ts';
import { replayOf } from './run-json.ts';
import { ScenarioError } from './scenarios/player.ts';
import { SnapshotError } from './state/snapshots.ts';
import { FaultError } from './wires/faults.ts';
import { detailOf } from './wires/rows.ts';
import type { World } from './worlds/world.ts';

/** A run of the kit with all its scenarios has some megabytes. Its text alone is read in one piece. */
const MAX_RUN_BYTES = 32 * 1024 * 1024;
const TOO_LARGE = `The file has more than ${MAX_RUN_BYTES / 1024 / 1024} MB. Please judge it by: npm run conformance -- replay FILE --report DIRECTORY`;

export function apiRoutes(world: World): AddRoutes {
  return (app, from) => {
    const json = from.json({ limit: '100kb' });
    addReads(app, world);
    addClock(app, json, world);
    addTrouble(app, json, world);
    addScenarios(app, json, world);
    addSnapshots(app, json, world);
    addReplay(app, from.json({ limit: MAX_RUN_BYTES }));
    app.use('/api', (_request, response) =>
      refuse(response, 404, 'not_found', 'The console has no such route.'),
    );
  };
}

function addReplay(app: Express, json: RequestHandler): void {
  const read: RequestHandler = (request, response, next) => {
    const isTooLarge = (error: unknown) => (error as { status?: number } | undefined)?.status === 413;
    json(request, response, (error) =>
      isTooLarge(error) ? refuse(response, 413, 'too_large', TOO_LARGE) : next(error),
    );
  };
  app.post('/api/replay', read, async (request, response) => {
    try {
      response.json(await replayOf(request.body));
    } catch (error) {
      refuse(response, 400, 'no_run', (error as Error).message);
    }
  });
}

function addReads(app: Express, world: World): void {
  const { feed, judge, phone, stateWatch, hub } = world;
  app.get('/api/overview', (_request, response) => void response.json(overviewOf(world)));
  app.get('/api/events', async (request, response) => {
    await stateWatch.current();
    hub.open(response, showsSecrets(request), overviewOf(world));
  });
  app.get('/api/messages', (request, response) => void response.json(feed.rows(showsSecrets(request))));
  app.get('/api/messages/:id', (request, response) => {
    const detail = readDetail(world, request);
    if (detail) response.json(detail);
    else noMessage(response);
  });
  app.get('/api/messages/:id/har', (request, response) => {
    const detail = readDetail(world, request);
    if (!detail) return noMessage(response);
    download(response, `message-${detail.id}.har`);
    response.json(harOf([harEntryOf(detail)], world.options.version));
  });
  app.get('/api/state', async (_request, response) => void response.json(await stateWatch.current()));
  app.get('/api/verdicts', (_request, response) => void response.json(judge.verdicts()));
  app.get('/api/phone', (_request, response) => void response.json(phone.texts()));
  app.get('/api/run.json', (_request, response) => {
    download(response, 'run.json');
    response.type('json').send(world.savedRun());
  });
}

function addClock(app: Express, json: RequestHandler, world: World): void {
  app.get('/api/clock', (_request, response) => void response.json(world.demoClock.state()));
  app.post(
    '/api/clock',
    json,
    answering(moveClock, (move) => world.move(move)),
  );
}

function addTrouble(app: Express, json: RequestHandler, { faults, phone }: World): void {
  app.get('/api/faults', (_request, response) => void response.json(faults.list()));
  app.post(
    '/api/faults',
    json,
    answering(armFault, (fault) => faults.arm(fault)),
  );
  app.delete('/api/faults', (_request, response) => {
    faults.disarm();
    response.json(faults.list());
  });
  app.delete('/api/faults/:id', (request, response) => {
    if (faults.disarm(Number(request.params.id))) response.json(faults.list());
    else refuse(response, 404, 'not_found', 'No fault of this id is armed.');
  });
  app.post(
    '/api/text-trouble',
    json,
    answering(textTrouble, (trouble) => {
      phone.setTrouble(trouble);
      return trouble;
    }),
  );
}

function addScenarios(app: Express, json: RequestHandler, world: World): void {
  const { player } = world;
  app.post(
    '/api/scenario',
    json,
    answering(playScenario, ({ do: what, id }) => {
      if (what === 'pause') return player.pause();
      if (what === 'takeOver') return player.takeOver();
      return what === 'play' ? player.play(id) : player.step(id);
    }),
  );
  app.get('/api/moment', (_request, response) => void response.json(world.situation.moment()));
  app.post(
    '/api/moment',
    json,
    answering(moment, (opened) => world.situation.open(opened)),
  );
}

function addSnapshots(app: Express, json: RequestHandler, { situation, player }: World): void {
  app.get('/api/snapshots', (_request, response) => void response.json(situation.snapshots()));
  app.post(
    '/api/snapshots',
    json,
    answering(takeSnapshot, ({ name }) => situation.takeSnapshot(name)),
  );
  app.post('/api/snapshots/:id/restore', async (request, response) => {
    const state = await situation.restore(Number(request.params.id));
    if (state) response.json(state);
    else refuse(response, 404, 'not_found', 'There is no such snapshot.');
  });
  app.post('/api/reset', async (_request, response) => {
    await player.takeOver();
    response.json(await situation.reset());
  });
}

/** Answers with what `act` makes of the body: 400 for another body, 409 where it cannot be done now. */
function answering<Body>(schema: z.ZodType<Body>, act: (body: Body) => unknown): RequestHandler {
  return async (request, response) => {
    const body = schema.safeParse(request.body);
    if (!body.success) {
      const [issue] = body.error.issues;
      const place = issue?.path.join('.') || 'the body';
      refuse(
        response,
        400,
        'invalid',
        `Please look at ${place}: ${issue?.message ?? 'it is not what is expected'}`,
      );
      return;
    }
    try {
      response.json(await act(body.data));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refuse(response, 409, 'not_possible', error.message);
    }
  };
}

function isRefusal(error: unknown): error is Error {
  return [ClockError, FaultError, ScenarioError, SnapshotError].some((kind) => error instanceof kind);
}

function readDetail({ feed, stateWatch, judge }: World, request: Request): MessageDetail | undefined {
  const id = Number(request.params.id);
  const found = feed.message(id, showsSecrets(request));
  if (!found) return undefined;
  const about = { changes: stateWatch.changesBy(id), verdicts: judge.verdictsOn(id) };
  return { ...detailOf(found.entry, found.message), ...about };
}

function showsSecrets(request: Request): boolean {
  return request.query.secrets === 'show';
}

function noMessage(response: Response): void {
  refuse(response, 404, 'not_found', 'There is no such message, or it was so long ago that it is not kept.');
}

function download(response: Response, name: string): void {
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
}
