import { expect, test } from 'vitest';
import { parse } from '../source.ts';
import { sentencesRule } from './sentences.ts';

/** Applies the rule to a file and returns each finding as `line message`. */
const check = (...lines: string[]) =>
  sentencesRule(parse('a.ts', `${lines.join('\n')}\n`)).map(({ line, message }) => `${line} ${message}`);

for (const comment of [
  ...['// Who asks too often is rejected.', '/** Whoever asks too often is rejected. */'],
  ...['// A limit. Whose limit it is, the key tells.', '/** @returns Whom to ask. */'],
  '/**\n * A limit.\n * Who reaches it waits.\n */',
])
  test(`a sentence that begins with a relative pronoun is reported: ${JSON.stringify(comment)}`, () => {
    expect(check('', comment)).toEqual([
      expect.stringMatching(
        /^2 A sentence begins with "Who\w*": name its subject .*then say what it does\.$/,
      ),
    ]);
  });

test('questions, pronouns inside a sentence and strings pass', () => {
  expect(
    check(
      '// Who may call it? The caller.',
      '/** Rejects the caller who asks too often; the World is not meant. */',
      "const text = 'Who asks waits. turnAway';",
    ),
  ).toEqual([]);
});

test('a comment over 110 characters is reported at its line', () => {
  const long = `// ${'a'.repeat(107)}`;
  expect(check(long)).toEqual([]);
  expect(check(` ${long}`)).toEqual(['1 A comment line of 111 characters: shorten it, or wrap it at 110.']);
  expect(check('/**', ` * ${'a'.repeat(200)}`, ' */')).toEqual([
    expect.stringMatching(/^2 A comment line of 203/),
  ]);
  expect(check(`const a = '${'a'.repeat(200)}';`)).toEqual([]);
});

for (const [word, instead] of [
  ['disgrace', 'throttled networks'],
  ['cameToNothing', 'unused connection'],
  ['turnAway', 'sendTooManyRequests'],
  ['tooMany', 'RateLimited'],
  ['Lanes', 'BatchQueue'],
  ['carryOut', 'execute'],
  ['endTurnReads', 'the read transaction of a tick'],
  ['breaches', 'violations'],
  ['Shelf', 'KeyValueStorage'],
])
  test(`${word} is retired, as an identifier and in a comment`, () => {
    const message = `"${word}" is a retired word: write "${instead}".`;
    expect(check(`const ${word} = 1;`)).toEqual([`1 ${message}`]);
    expect(check('', `// The ${word} of the listener.`)).toEqual([`2 ${message}`]);
  });

test('names that only contain a retired word pass', () =>
  expect(check('const lanes = sendTooManyRequests(bookshelf);')).toEqual([]));
