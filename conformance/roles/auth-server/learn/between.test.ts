import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { startBetween } from '../../../engine/learn/between/between.ts';
import { harFileOf } from '../../../testing/har-of.ts';
import type { CorePorts } from './testing/core.ts';
import { startFormServer, walkForms } from './testing/form-server.ts';
import { examined, freePorts, learnedFrom, recorded } from './testing/learned.ts';
import { startRestServer, walkRest } from './testing/rest-server.ts';
import type { Walk } from './testing/walk.ts';

const servers: [string, (ports: CorePorts) => Promise<string>, Walk][] = [
  ['forms with cookies and a CSRF field', startFormServer, walkForms],
  ['REST with nested JSON', startRestServer, walkRest],
];

for (const [name, start, walk] of servers)
  test(`a recording between a client and ${name} is learned from`, { timeout: 60_000 }, async () => {
    const ports = await freePorts();
    const server = await start(ports);
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const between = await startBetween({ server, port: 0, clock: systemClock, say });
    onTestFinished(() => between.stop());
    await recorded(walk, between.url, ports);
    // The client calls the EHR server by itself: this recording has the authorization server alone.
    const har = readFileSync(harFileOf(between.exchanges()), 'utf8');
    const { file, text } = await learnedFrom(har, ports);
    expect(text).toContain(`url: "${server}"`);
    expect((await examined(file)).filter(({ ok }) => !ok)).toEqual([]);
    // The phone and the code of the walk stand in no line.
    expect(lines.join('\n')).not.toMatch(/\d{4}/);
  });
