import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { dataOf } from './html/data.ts';
import { htmlOf } from './html.ts';
import { fakeReport, fakeRun } from './testing/fake-run.ts';
import { hostile } from './testing/hostile.ts';
import { cardIn, wholePage } from './testing/whole-page.ts';

const fake = fakeRun({ crowd: 5 });
const page = htmlOf(fake.run, fakeReport(fake));
const whole = wholePage(page);

/** The tags of a page, without its own style and script. */
function tagsOf(text: string): { name: string; attributes: string[] }[] {
  const body = text.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>[\s\S]*?<\/script>/, '');
  return [...body.matchAll(/<([a-zA-Z!][^\s/>]*)([^>]*)>/g)].map(([, name = '', rest = '']) => ({
    name,
    attributes: [...rest.matchAll(/\s([a-zA-Z-]+)(?:="[^"]*")?/g)].map(([, attribute = '']) => attribute),
  }));
}
const card = (check: string) => cardIn(page, `check-${check}`);
const ORDER = ['fail', 'inconclusive', 'warning', 'pass', 'not-applicable'] as (string | undefined)[];
const idsOf = (text: string) => [...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);

test('text of the run changes no tag and no attribute of the page', () => {
  const { run } = hostile({ run: fake.run });
  const harmed = htmlOf(run, hostile(fakeReport(fake)));
  const namesOf = ({ name, attributes }: ReturnType<typeof tagsOf>[0]) => [
    name,
    ...attributes.map((attribute) => `${name} ${attribute}`),
  ];
  const names = (text: string) => [...new Set(tagsOf(text).flatMap(namesOf))].sort();
  expect(names(wholePage(harmed))).toEqual(names(whole));
  expect(harmed).toContain('&lt;script&gt;globalThis.harmed=1&lt;/script&gt;');
  // The script, and the packed data for it.
  expect(harmed.match(/<script/g)).toHaveLength(2);
  expect(harmed).not.toContain('\u001b');
});

test('only its own style and script may act, and nothing is loaded', () => {
  const hash = (tag: string) => {
    const text = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
    .exec(page)?.[1]
    ?.replaceAll('&#39;', "'");
  expect(policy).toBe(
    `default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')}; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(whole).not.toMatch(/\s(?:src|srcset|href|action|poster)="(?!#|data:,"|run\.json")/);
  expect(page).toContain('<meta http-equiv="x-dns-prefetch-control" content="off">');
  expect(whole).not.toMatch(/url\((?!#)|@import|\sstyle=|\son[a-z]+=/);
});

test('every link leads to something in the page, and no id stands twice', () => {
  const ids = idsOf(whole);
  expect(new Set(ids).size).toBe(ids.length);
  const targets = [...whole.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(200);
  expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
});

test('each check has its card, the worst first, with the failing ones open', () => {
  const cards = [
    ...page.matchAll(/<details class="card ([\w-]+)" id="check-([\w-]+)" data-packed="[\w-]+"( open)?>/g),
  ].map(([, outcome, id, open]) => ({ outcome, id, open: open !== undefined }));
  expect(cards).toHaveLength(18);
  const outcomes = new Set(cards.map(({ outcome }) => outcome));
  expect([...outcomes].join(' ')).toBe('fail inconclusive warning pass not-applicable');
  const open = cards.filter((card) => card.open).map(({ id }) => id);
  expect(open.join(' ')).toBe('auth-info-ttl session-dead-after-logout wrong-code-refused');
});

test('a card has requirement, expectation, evidence, blame, advice and diagram', () => {
  const shown = card('auth-info-ttl');
  for (const part of [
    '<q>authInfo.ttl is a JSON integer that states how long the session record lives.</q> §2.3, <a href="#requirement-2.3-ttl"><code>2.3-ttl</code></a>',
    '<dd>a JSON integer</dd>',
    '<dd>the string &quot;86400&quot;, in 6 of 6 calls</dd>',
    '<dd>auth server</dd>',
    '<dd>Send ttl as a JSON number, in minutes: 1440, not &quot;86400&quot;.</dd>',
    'save_auth_info</text>',
    'class="message-arrow marked" href="#m',
  ]) {
    expect(shown).toContain(part);
  }
});

test('injected faults are marked, and a missing answer is crossed out', () => {
  const shown = card('answer-in-time');
  expect(shown).toContain('fault on purpose: hang</text>');
  expect(shown).toContain('<path class="cross"');
  expect(shown).toContain('wrong on purpose: the EHR server&#39;s fault: hang');
});

test('each requirement has its row, and says why it was not judged', () => {
  expect(page.match(/<tr role="row" class="row /g)).toHaveLength(fakeReport(fake).requirements.length);
  expect(page).toMatch(
    /id="requirement-K-deletion-forgets">.*?Not judged because: the adapter declares that the server has no step deleteUser/s,
  );
  expect(page).toContain('Not judged because: no check judges it');
});

test('versions, seed and configuration stand in the page', () => {
  for (const part of [
    'Acme Identity 7.2 (staging)',
    '<dd>730219</dd>',
    '<dd>embedded-ehr-harness 0.1.0</dd>',
    '&quot;apiVersion&quot;: &quot;1.0-alpha&quot;',
  ])
    expect(page).toContain(part);
});

test('a run that was broken off says so at head and scenario', () => {
  const broken = fakeRun({ crowd: 1, finished: false });
  const text = htmlOf(broken.run, fakeReport(broken));
  expect(text).toContain('<span class="word">Not conformant</span> <span class="tag fail">broken off</span>');
  expect(text).toMatch(/id="scenario-crowd" .*?<span class="tag fail">broken off<\/span>/s);
  expect(wholePage(text)).toContain('<span class="result broken">did not end</span>');
});

test('a set-up that is not ready tells the problem and the remedy', () => {
  const run = { ...fake.run, entries: [] };
  const notSetUp = [{ problem: 'No answer at port 4200.', remedy: 'Start the server.' }];
  const text = htmlOf(run, fakeReport({ ...fake, run, verdicts: [] }, { notSetUp }));
  expect(text).toContain('<span class="word">Not set up</span>');
  expect(text).toContain('<strong>No answer at port 4200.</strong></p><p>Start the server.</p>');
  expect(text).toContain('No check was asked.');
});

test('the page of a long run is bounded and says what it leaves out', () => {
  const long = fakeRun({ crowd: 1_000 });
  const text = htmlOf(long.run, fakeReport(long));
  expect(long.run.entries.length).toBeGreaterThan(18_000);
  expect(text.length).toBeLessThan(300_000);
  expect(wholePage(text)).toContain('7940 further messages in run.json');
});

test('a message is in the page once, and a long body is cut', () => {
  const body = 'x'.repeat(50_000);
  const entries = fake.run.entries.map((entry) =>
    entry.kind === 'exchange' ? { ...entry, request: { ...entry.request, body } } : entry,
  );
  const text = wholePage(htmlOf({ ...fake.run, entries }, fakeReport(fake)));
  expect(text).toContain('… 46000 more characters, in run.json');
  expect(text.match(/id="m3"/g)).toHaveLength(1);
});

test('a message shows its trace where it has one', () => {
  const trace = 'abc'.padEnd(32, '1');
  const entries = fake.run.entries.map((entry) => (entry.seq === 3 ? { ...entry, trace } : entry));
  const text = wholePage(htmlOf({ ...fake.run, entries }, fakeReport(fake)));
  const message = text.slice(text.indexOf('id="m3"'), text.indexOf('</details>', text.indexOf('id="m3"')));
  expect(message).toContain(`<p class="trace">Trace <code>${trace}</code></p>`);
  expect(text.match(/class="trace"/g)).toHaveLength(1);
  expect(whole).not.toContain('class="trace"');
});

test('a scenario shows verdicts in its margin', () => {
  const scenario = cardIn(page, 'scenario-first-link');
  const marks = [...scenario.matchAll(/class="margin (\w+)" href="#check-([\w-]+)"/g)].map(
    ([, outcome, check]) => [check, outcome],
  );
  expect(marks.length).toBeGreaterThan(0);
  for (const [check, outcome] of marks) {
    expect(fakeReport(fake).verdicts.find((verdict) => verdict.check === check)?.outcome).toBe(outcome);
  }
  expect(page).toContain('href="run.json"');
});

test('a card has the command that plays its check alone', () => {
  const text = htmlOf(fake.run, fakeReport(fake), { playAlone: (check) => `play <it> --only ${check}` });
  expect(cardIn(text, 'check-no-cross-talk')).toContain(
    '<code class="command">play &lt;it&gt; --only no-cross-talk</code>',
  );
  expect(page).not.toContain('class="command"');
});

test('requirements that are broken come first, those that were not judged last', () => {
  const rows = [...page.matchAll(/class="row ([\w-]+)"/g)].map(([, outcome]) => outcome);
  expect([...new Set(rows)].join(' ')).toBe('fail inconclusive warning pass not-applicable');
  expect(rows.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))).toEqual(rows);
});

test('the card of a scenario has the outcome of its verdicts', () => {
  const head = cardIn(page, 'scenario-returning-user').split('</summary>')[0];
  expect(head).toContain('<span class="tag fail">1 failed</span>');
  expect(page).toContain('class="card scenario fail" id="scenario-returning-user"');
  expect(page).toContain('class="card scenario pass" id="scenario-crowd"');
});

test('times of scenarios are not added: some are played at once', () => {
  const report = fakeReport(fake);
  const scenarios = report.scenarios.map((each) => ({ ...each, took: 100_000 }));
  const text = htmlOf(fake.run, { ...report, scenarios });
  expect(text).toMatch(/<dt>Played<\/dt><dd>8 scenarios in 3\d\.\d s<\/dd>/);
});

test('too large a run has fewer messages of each scenario', () => {
  const large = fakeRun({ crowd: 20 });
  const options = { report: fakeReport(large), open: new Set<string>() };
  const lengthIn = (limit: number) => dataOf(large.run, options, limit).text.length;
  const [most, least] = [lengthIn(Number.POSITIVE_INFINITY), lengthIn(0)];
  expect(lengthIn(most)).toBe(most);
  expect(lengthIn(most - 1)).toBeLessThan(most);
  expect(lengthIn(most - 1)).toBeGreaterThan(least);
});
