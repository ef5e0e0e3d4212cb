/** What can be held of the image's files without an engine. `npm run image` builds and runs the images. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { publicPorts } from '#demo/run/publish.ts';
import { type DemoConfig, demoSettings, readDemoConfig } from '#demo/settings.ts';
import { ehrSettings } from '#ehr-server/config.ts';
import { root } from '../set-up/set-up.mjs';
import { configOf, readStages, stagesBelow } from './dockerfile.ts';
import { proofs } from './proofs.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as { name: string; bin: Record<string, string> };
const stages = readStages(read('Dockerfile'));
const images = Object.keys(proofs);
const demoPorts = publicPorts(readDemoConfig([], {}) as DemoConfig);

/** The fields that are used, and no other. */
const publishedPort = z.string().regex(/^127\.0\.0\.1:(\d+):\1$/);
const composeFile = z.strictObject({
  'x-confined': z.unknown(),
  services: z.record(
    z.string(),
    z.strictObject({
      profiles: z.array(z.string()).optional(),
      build: z.strictObject({ context: z.literal('.'), target: z.enum(images) }),
      image: z.string(),
      restart: z.literal('unless-stopped').optional(),
      ports: z.array(publishedPort).optional(),
      network_mode: z.literal('host').optional(),
      environment: z.array(z.string()).optional(),
      volumes: z.array(z.string().regex(/^[\w.]+:\/data$/)),
      read_only: z.literal(true),
      tmpfs: z.tuple([z.literal('/tmp')]),
      cap_drop: z.tuple([z.literal('ALL')]),
      security_opt: z.tuple([z.literal('no-new-privileges:true')]),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});
const compose = composeFile.parse(parse(read('compose.yaml'), { merge: true }));

test('each image starts a command of the package, without root, in the exec form', () => {
  expect(images.length).toBe(3);
  for (const image of images) {
    const { entrypoint, user, volumes, workdir, stopSignal } = configOf(stages, image);
    const [command = '', ...words] = entrypoint;
    expect(manifest.bin).toHaveProperty(command);
    for (const word of words) expect(read('harness/subcommands.ts')).toContain(`name: '${word}'`);
    expect([user, volumes, workdir, stopSignal]).toEqual(['1000:1000', ['/data'], '/data', 'SIGTERM']);
  }
});

test('what is built is the packed package, and only copied afterwards', () => {
  const [made, ...others] = stagesBelow(stages, 'package');
  expect(others).toEqual([]);
  const runs = made?.steps.filter(({ keyword }) => keyword === 'RUN').map(({ text }) => text);
  expect(runs).toContain('npm pack');
  expect(runs).toContain(`npm install --omit=dev --ignore-scripts /source/${manifest.name}-*.tgz`);
  // Without a command of its own, an image for another architecture needs no emulation.
  for (const image of images)
    for (const { keyword, flags } of stagesBelow(stages, image).flatMap(({ steps }) => steps)) {
      expect(['ADD', 'RUN']).not.toContain(keyword);
      if (keyword === 'COPY') expect(flags.from).toBe('package');
    }
  expect(new Set(stages.map(({ from }) => from).filter((from) => from.includes(':')))).toHaveLength(1);
});

test('no package that the image installs is for one architecture alone', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: true; devOptional?: true; cpu?: string[]; os?: string[] }>;
  };
  const bound = Object.entries(packages).filter(
    ([, { dev, devOptional, cpu, os }]) => !dev && !devOptional && (cpu ?? os) !== undefined,
  );
  expect(bound).toEqual([]);
});

test('the variables of the images are settings, with files at /data', () => {
  const known = (table: Record<string, { env?: string }>) => Object.values(table).map(({ env }) => env);
  const ofImage = (image: string) =>
    Object.entries(configOf(stages, image).env).filter(([name]) => !['PATH', 'NODE_ENV'].includes(name));
  for (const [image, table] of [
    ['ehr-server', ehrSettings],
    ['demo', demoSettings],
  ] as const)
    for (const [name, value] of ofImage(image)) {
      expect(known(table)).toContain(name);
      if (value.includes('/')) expect(value).toMatch(/^\/data(?:\/|$)/);
    }
  expect(ofImage('kit')).toEqual([]);
  expect(ofImage('demo')).toContainEqual(['DEMO_PUBLISHED', 'on']);
});

test('Dockerfile, compose.yaml and devcontainer publish the ports of the demo', () => {
  const published = (service: string) =>
    compose.services[service]?.ports?.map((port) => Number(port.split(':')[1]));
  expect(configOf(stages, 'demo').ports).toEqual(demoPorts);
  expect(published('demo')).toEqual(demoPorts);
  const { env, ports } = configOf(stages, 'ehr-server');
  expect(ports).toEqual([Number(env.EHR_PORT), Number(env.EHR_INTERNAL_PORT)]);
  expect(published('ehr-server')).toEqual(ports);
  const devcontainer = z
    .strictObject({
      name: z.string(),
      image: z.string().regex(/:22-/),
      postCreateCommand: z.literal('npm run build'),
      postAttachCommand: z.string().regex(/npm run demo/),
      forwardPorts: z.array(z.int()),
      portsAttributes: z.record(
        z.string(),
        z.strictObject({
          label: z.string(),
          requireLocalPort: z.literal(true),
          onAutoForward: z.literal('silent'),
        }),
      ),
      otherPortsAttributes: z.strictObject({ onAutoForward: z.literal('ignore') }),
    })
    .parse(JSON.parse(read('.devcontainer/devcontainer.json')));
  expect(devcontainer.forwardPorts.toSorted()).toEqual(demoPorts.toSorted());
  expect(Object.keys(devcontainer.portsAttributes).map(Number)).toEqual(demoPorts.toSorted());
});

test('compose.yaml has one service for each image, and its volumes', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual(images.toSorted());
  for (const [name, { build, image, volumes, profiles }] of Object.entries(compose.services)) {
    expect([build.target, image]).toEqual([name, `${manifest.name}:${name}`]);
    expect(profiles).toEqual(name === 'ehr-server' ? undefined : [name]);
    const [source = ''] = (volumes[0] ?? '').split(':');
    if (source !== '.') expect(compose.volumes).toHaveProperty(source);
  }
});

test('the workflow builds each image for both architectures', () => {
  const workflow = read('.github/workflows/images.yml');
  const { jobs } = parse(workflow) as { jobs: { push: { strategy: { matrix: { target: string[] } } } } };
  expect(jobs.push.strategy.matrix.target.toSorted()).toEqual(images.toSorted());
  expect(workflow).toContain('platforms: linux/amd64,linux/arm64');
  for (const [, path = ''] of workflow.matchAll(/(\/app\/node_modules\/\S+)/g))
    expect(existsSync(join(root, path.replace(`/app/node_modules/${manifest.name}/`, '')))).toBe(true);
});
