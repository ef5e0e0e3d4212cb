import { expect, test } from 'vitest';
import { checkFile } from './check.ts';

/** Applies the rules to a component and returns each finding as `line message`. */
const check = (...lines: string[]) =>
  checkFile('mock-client/ui/a.tsx', `${['/** Why. */', ...lines].join('\n')}\n`).map(
    (finding) => `${finding.line} ${finding.message}`,
  );

const bareTexts = [
  ...['<p>{name} {surname}</p>', "<p>{say('name')}<b /></p>", '<p>Name <b /></p>'],
  ...['<p>{open && text}<b /></p>', '<p>{open ? <i /> : text}<b /></p>', '<>{text}</>'],
  ...['<Fragment key={text}>{text}</Fragment>', '<p>{names.map((name) => name)}<b /></p>'],
];

for (const code of bareTexts)
  test(`a text that is not the only child of an element is reported: ${code}`, () => {
    const [first] = check(`const shown = ${code};`);
    expect(first).toBe('2 A text that is not the only child of an element: give it one, such as a span.');
  });

test('a component that returns a text is reported', () => {
  const findings = check(
    'function Name({ a, b }: Props) {',
    '  if (a) {',
    '    return a;',
    '  }',
    '  return b ? <i /> : null;',
    '}',
    'function nameOf(a: string) { return a; }',
  );
  expect(findings.map((finding) => finding.split(' ')[0])).toEqual(['4']);
});

test('a text with an element of its own is let pass', () => {
  for (const code of [
    ...['<p>{text}</p>', '<p>{`Name: `}</p>', '<p><span>{text}</span> <b /></p>'],
    '<p>{open && <i />}{children}<b /></p>',
    "<p>{open ? <i /> : null}{' '}{/* why */}{names?.map((name) => (<i key={name}>{name}</i>))}</p>",
    '<Button>{text}</Button>',
  ])
    expect(check(`const shown = ${code};`), code).toEqual([]);
});
