import { expect, test } from 'vitest';
import { personaList } from '#mis-fixtures/personas.ts';
import { screenOf } from './screen.ts';
import { readDemoConfig } from './settings.ts';

const screen = (...flags: string[]) => {
  const config = readDemoConfig(flags, {});
  if (!config) throw new Error('The flags asked for help.');
  return screenOf(config, { typed: flags, offsets: { ehr: 0, auth: 0 } });
};

test('the screen fits one screen and ends with Ready', () => {
  const lines = screen().trimEnd().split('\n');
  expect(lines.length).toBeLessThan(30);
  expect(lines.at(-1)).toBe('Ready: open http://127.0.0.1:4300 and sign in as 79990000001.');
});

test('the screen has the chosen addresses, and the data for other commands', () => {
  expect(screen()).toMatch(/npm run clock -- advance 10m$/m);
  const text = screen('--ehr-port', '5100', '--client-port', '5300', '--data', 'my data');
  expect(text).toContain('http://127.0.0.1:5100/1.0-alpha/');
  expect(text).toContain('Ready: open http://127.0.0.1:5300');
  expect(text).toContain("npm run clock -- --data 'my data' advance 10m\n");
});

test('the address of the console is the last line, where there is one', () => {
  const config = readDemoConfig([], {});
  if (!config) throw new Error('The flags asked for help.');
  const text = screenOf(config, {
    typed: [],
    offsets: { ehr: 0, auth: 0 },
    console: 'http://127.0.0.1:4400/?token=t',
  });
  const lines = text.trimEnd().split('\n');
  expect(lines.at(-1)).toBe('http://127.0.0.1:4400/?token=t');
  expect(lines.at(-2)).toMatch(/^Ready: sign in as 79990000001, /);
  expect(lines.length).toBeLessThan(30);
  expect(screen()).not.toContain('console');
});

test('the console is left out by its flag or its variable', () => {
  expect(readDemoConfig([], {})?.console).toBe(true);
  expect(readDemoConfig(['--no-console'], {})?.console).toBe(false);
  expect(readDemoConfig(['--fresh'], { DEMO_CONSOLE: 'off' })?.console).toBe(false);
});

test('the screen names every persona with what to type', () => {
  const text = screen();
  for (const { signIn, typed } of personaList) {
    expect(text).toContain(signIn);
    for (const { name, surname, date } of typed) {
      expect(text).toContain(`${name} ${surname}`.normalize('NFC'));
      expect(text).toContain(date.slice(0, 10));
    }
  }
});

test('to start over, the flags that were typed are typed again', () => {
  expect(screen()).toMatch(/Start over {2,}npm run demo -- --fresh$/m);
  expect(screen('--fresh', '--data', 'my data', '--client-port', '5300')).toMatch(
    /Start over {2,}npm run demo -- --data 'my data' --client-port 5300 --fresh$/m,
  );
});
