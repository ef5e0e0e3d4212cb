import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { compilingProblem, moduleProblem, wantedModule } from './native-module.mjs';
import { root } from './set-up.mjs';

const NODE_20 = { node: '20.20.2' };

/** Returns an environment in which only these programs are found. */
function withTools(...names: string[]): { PATH: string } {
  const PATH = temporaryFolder();
  for (const name of names) {
    writeFileSync(join(PATH, name), '#!/bin/sh\n');
    chmodSync(join(PATH, name), 0o755);
  }
  return { PATH };
}

function headersOf(major: string): string {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'include', 'node'), { recursive: true });
  writeFileSync(
    join(directory, 'include', 'node', 'node_version.h'),
    `#define NODE_MAJOR_VERSION ${major}\n`,
  );
  return directory;
}

test('the module is compiled for Node 20 alone', () => {
  expect(wantedModule(root, '20.20.2').isCompiled).toBe(true);
  expect(wantedModule(root, '20.20.2').version).toMatch(/^12\./);
  for (const node of ['22.14.0', '24.21.0', '26.10.0']) {
    expect(wantedModule(root, node).isCompiled, node).toBe(false);
    expect(wantedModule(root, node).version, node).toMatch(/^13\./);
  }
});

test('a module of another version is never loaded', () => {
  const project = temporaryFolder();
  writeFileSync(join(project, 'package.json'), '{"dependencies":{"better-sqlite3":"1.0.0 || 2.0.0"}}');
  expect(moduleProblem(project)).toMatch(/^installed is none, wanted [12]\.0\.0$/);
  mkdirSync(join(project, 'node_modules', 'better-sqlite3'), { recursive: true });
  writeFileSync(join(project, 'node_modules', 'better-sqlite3', 'package.json'), '{"version":"3.0.0"}');
  expect(moduleProblem(project)).toMatch(/^installed is 3\.0\.0, wanted [12]\.0\.0$/);
});

test('missing tools are named before anything is compiled, with how to get them', () => {
  expect(compilingProblem(withTools('python3', 'make', 'c++'), NODE_20)).toBeUndefined();
  expect(compilingProblem(withTools('make'), NODE_20)).toMatch(
    /^Node 20\.20\.2 needs better-sqlite3 compiled on this machine, and these are missing: python3, a C\+\+ compiler\. Please install /,
  );
});

test('headers that a configuration names must be those of this Node', () => {
  const tools = withTools('python3', 'make', 'c++');
  const problemWith = (npm_config_nodedir: string) =>
    compilingProblem({ ...tools, npm_config_nodedir }, NODE_20);
  expect(problemWith(headersOf('20'))).toBeUndefined();
  const others = headersOf('24');
  expect(problemWith(others)).toContain(
    `${others}, which npm_config_nodedir names, holds the headers of Node 24. Please name`,
  );
  expect(problemWith(temporaryFolder())).toContain('holds no headers (include/node). Please name');
});
