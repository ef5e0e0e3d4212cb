import { expect, test } from 'vitest';
import { portProblem } from '../prepare/ports.ts';
import { portsOf, portsOfWorlds, readDemoConfig } from '../settings.ts';
import { worldsScreen } from './screen.ts';

const read = (...flags: string[]) => {
  const config = readDemoConfig(flags, {});
  if (!config) throw new Error('The flags asked for help.');
  return config;
};

test('worlds are a number or names', () => {
  expect(read().worlds).toBeUndefined();
  expect(read('--worlds', '3').worlds).toEqual(['1', '2', '3']);
  expect(read('--worlds', 'anna,ci-7').worlds).toEqual(['anna', 'ci-7']);
  expect(read('--worlds', '100').worlds).toHaveLength(100);
});

test('what cannot be worlds is refused with what can', () => {
  for (const wrong of ['0', '101', '', 'anna,anna', 'Anna', 'a b', '../x', '-a', 'a'.repeat(40), 'anna,'])
    expect(() => read('--worlds', wrong)).toThrow(
      '--worlds (environment variable DEMO_WORLDS) must be a number from 1',
    );
  expect(() => read('--worlds', '2', '--no-console')).toThrow('--worlds needs the console');
});

test('the ports of worlds follow the console’s and differ; the screen names clients', async () => {
  const config = read('--worlds', '3', '--console-port', '5400');
  const needed = [...portsOf(config), ...portsOfWorlds(config)];
  expect(needed.map(({ port }) => port)).toEqual(Array.from({ length: 13 }, (_, index) => 5_400 + index));
  const worlds = ['1', '2', '3'].map((name) => ({
    name,
    address: `http://127.0.0.1:5400/w/${name}/?token=t`,
  }));
  const screen = worldsScreen(worlds, 5_400);
  expect(screen).toContain('http://127.0.0.1:5400/w/2/?token=t  client http://127.0.0.1:5405');
  expect(screen.trimEnd().split('\n').at(-1)).toMatch(/^Ready: /);
  const twice = needed.slice(1, 2).concat(needed.slice(1, 2));
  expect(await portProblem(twice)).toMatch(/the world 1 .*npm run demo -- --console-port 6400/);
});
