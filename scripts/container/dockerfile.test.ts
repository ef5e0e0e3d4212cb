import { expect, test } from 'vitest';
import { configOf, readStages, stagesBelow } from './dockerfile.ts';

const stages = readStages(`# An example.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS made
RUN first && \\
    second
FROM node:24-bookworm-slim AS base
COPY --from=made --chown=1:2 /a /b
ENV ONE=1 PATH=/app:$PATH
USER 1:2
HEALTHCHECK --interval=5s CMD ["node", "-e", "process.env.ONE"]
FROM base AS last
EXPOSE 1 2
HEALTHCHECK NONE
ENTRYPOINT ["node", "main.js"]
`);

test('a stage is read with its steps, their flags and what it stands on', () => {
  expect(stagesBelow(stages, 'last').map(({ name }) => name)).toEqual(['base', 'last']);
  expect(stages[0]?.steps.map(({ keyword }) => keyword)).toEqual(['RUN']);
  expect(stages[1]?.steps[0]).toMatchObject({ flags: { from: 'made', chown: '1:2' }, text: '/a /b' });
});

test('an image is run as the stages below it say, unless it says otherwise', () => {
  expect(configOf(stages, 'base').healthcheck).toEqual(['node', '-e', 'process.env.ONE']);
  expect(configOf(stages, 'last')).toMatchObject({
    env: { ONE: '1', PATH: expect.stringMatching(/^\/app:\/usr/) },
    user: '1:2',
    healthcheck: undefined,
    entrypoint: ['node', 'main.js'],
    ports: [1, 2],
  });
});

test('a stage without a name and the shell form are refused', () => {
  expect(() => readStages('FROM node:24')).toThrow('has no name');
  const inShell = readStages('FROM node:24 AS a\nENTRYPOINT node main.js');
  expect(() => configOf(inShell, 'a')).toThrow('Not in the exec form: node main.js');
});
