import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Failure } from '../calls.ts';
import type { Flow } from '../flow/run-effects.ts';
import type { Ending, Model, Step } from '../flow/state.ts';
import { at, draft, patient, refused, type Walk, walk } from '../flow/testing/walk.ts';
import { createWireLog } from '../wire/wire-log.ts';
import { App } from './app.tsx';
import { NoSettings } from './parts/plain-page.tsx';
import { WireItem } from './wire-panel.tsx';

const config = {
  ehrUrl: 'http://e',
  apiVersion: '',
  authUrl: 'http://a',
  smsUrl: 'http://a/sms',
  ttlUnit: 'minutes',
} as const;

function render(model: Model): string {
  const flow: Flow = { current: () => model, send: () => undefined, subscribe: () => () => undefined };
  return renderToStaticMarkup(
    <App flow={flow} wireLog={createWireLog()} config={config} clock={manualClock()} />,
  );
}

/** An ending that the first server did not answer, and one that both servers did. */
const failed = (ending: Ending, visit = at.record()) => visit.end(ending).failBy('timeout');
const ended = (ending: Ending) => at.record().end(ending).succeed().succeed();
const AGAIN_OR_BACK = ['Try again', 'Go back'];
const pages: [name: string, visit: Walk, heading: string, buttons: string[]][] = [
  ['sign-in', walk(), 'Sign in', ['Send code', 'Use an e-mail address instead']],
  ['a failed sign-in', walk().enterPhone().failBy('timeout'), 'Sign in', ['Send code']],
  ['code', at.code(), 'Enter the code', ['Confirm', 'Send a new code', 'Use another phone number']],
  ['a failed code', at.code().enterCode('1').fail('ehr_timeout'), 'Enter the code', ['Try again']],
  ['checking', at.checking(), 'Opening your record', []],
  ['failed checking', at.checking().failBy('unreachable'), 'Opening your record', ['Try again', 'Log out']],
  [
    'a lost patient',
    at.checking().fail('patient_not_matched'),
    'Opening your record',
    ['Disconnect records'],
  ],
  ['the form', at.identify(), 'Find your record', ['Find my record', 'Log out']],
  ['a failed match', at.authenticate().fail('patient_not_matched'), 'Find your record', ['Find my record']],
  [
    'a spent exchange token',
    at.authenticate().fail('exchange_token_expired'),
    'Find your record',
    ['Try again'],
  ],
  [
    'the record',
    at.record(),
    'CanaryName CanarySurname',
    ['Log out', 'Disconnect records', 'Delete my data'],
  ],
  [
    'an unreported link',
    at.authenticate().succeed().failBy('timeout'),
    'CanaryName CanarySurname',
    ['Try again'],
  ],
  ['an ending', at.record().end('logout'), 'Logging you out…', []],
  ['a failed log out', failed('logout'), 'You are still signed in', AGAIN_OR_BACK],
  ['a failed disconnection', failed('disconnect'), 'Your records are still connected', AGAIN_OR_BACK],
  ['a failed deletion', failed('delete'), 'Your data was not deleted', AGAIN_OR_BACK],
  [
    'a log out to finish',
    at.record().end('logout').succeed().failBy('timeout'),
    'Almost logged out',
    ['Finish logging out'],
  ],
  [
    'a deletion to finish',
    at.record().end('delete').succeed().failBy('timeout').reload(),
    'Almost deleted',
    ['Finish deleting'],
  ],
  ['a failed log out at the form', failed('logout', at.identify()), 'You are still signed in', AGAIN_OR_BACK],
  ['the end after logging out', ended('logout'), 'You are logged out', ['Sign in again']],
  ['the end after deleting', ended('delete'), 'Your data is deleted', ['Sign in again']],
];

for (const [name, visit, heading, buttons] of pages)
  test(`the page of ${name} has one heading and its ways onward`, () => {
    const html = render(visit.model());
    const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/g)].map((match) => match[1]);
    expect(headings).toEqual([heading]);
    for (const button of buttons) expect(html).toMatch(new RegExp(`<button[^>]*>${button}</button>`));
  });

test('records are said to stay connected only where there were some', () => {
  const kept = 'Your records stay connected';
  expect(render(ended('logout').model())).toContain(kept);
  expect(render(at.identify().end('logout').succeed().model())).not.toContain(kept);
});

test('every field has a label, and autofill knows what it is', () => {
  const signIn = render(walk().model());
  expect(signIn).toMatch(/<input[^>]*type="tel"[^>]*inputMode="tel"[^>]*autoComplete="tel"/i);
  expect(render(at.code().model())).toMatch(
    /<input[^>]*inputMode="numeric"[^>]*autoComplete="one-time-code"/i,
  );
  const form = render(at.identify().model());
  for (const hint of ['given-name', 'family-name', 'bday', 'tel'])
    expect(form).toContain(`autoComplete="${hint}"`);
  for (const id of [...form.matchAll(/<(?:input|select)[^>]*\sid="([^"]+)"/g)].map((match) => match[1]))
    expect(form).toContain(`<label for="${id}">`);
});

test('a failed match shows what was typed, so that it can be corrected', () => {
  const form = render(at.authenticate().fail('patient_not_matched').model());
  for (const value of [draft.name, draft.surname, draft.date]) expect(form).toContain(`value="${value}"`);
  expect(form).toContain('role="alert"');
});

test('while a call is out, the buttons say so and keep their place', () => {
  const busy = render(walk().enterPhone().model());
  expect(busy).toMatch(/<button[^>]*aria-disabled="true"[^>]*>Send code</);
  expect(busy).toContain('Sending the code…');
});

const YEARS = { begin: '2021-01-01T00:00:00.000Z', end: '2031-12-31T00:00:00.000Z' };

const recordWith = (change: Partial<typeof patient>) => {
  const step: Step = { ...at.record().step('record'), patient: { ...patient, ...change } };
  return render({ step, waiting: undefined, asked: 0 });
};

test('a record without anything optional is readable, and a full one is complete', () => {
  const bare = recordWith({ email: null, address: null, medcardNumber: null, maritalStatus: 5, phones: [] });
  expect(bare).toContain('Not noted');
  expect(bare).toContain('No insurance is noted.');
  const full = recordWith({
    middleName: 'Maria',
    gender: 3,
    active: false,
    familyMembers: [
      { type: 3, patientId: 'p-2', relation: 'daughter', surname: 'Petrova', name: 'Sofia' },
      { type: 7, patientId: 'p-nameless' },
    ],
    insurances: [
      { companyId: 'c-1', policyNumber: 'HH-1', period: YEARS, company: 'Harbour Health' },
      { companyId: 'c-nameless', policyNumber: 'HH-2', period: YEARS },
    ],
  });
  for (const text of [
    ...['CanaryName Maria CanarySurname', 'Not known, born 12 April 1985', 'Widowed', 'Sofia Petrova'],
    ...['Daughter', 'p-nameless', 'c-nameless', 'Harbour Health', '31 December 2031', 'no longer active'],
  ])
    expect(full).toContain(text);
});

test('a photo is shown only when it stands in the record itself', () => {
  expect(recordWith({ photo: 'data:image/svg+xml,x' })).toContain('<img');
  expect(recordWith({ photo: 'https://elsewhere.example/x.png' })).not.toContain('elsewhere');
  expect(recordWith({ photo: 'data:text/html,x' })).not.toContain('text/html');
});

test('the page that cannot start says why and how to go on', () => {
  const html = renderToStaticMarkup(<NoSettings detail="HTTP 502" onRetry={() => undefined} />);
  expect(html).toContain('HTTP 502');
  expect(html).toContain('Try again');
});

test('how a call ended is told in words', () => {
  const endings: [Failure | undefined, string][] = [
    [undefined, 'ok'],
    [refused('ehr', 'patient_not_matched'), 'patient_not_matched (-34001)'],
    [{ ...refused('ehr', 'not_authorized'), reason: undefined } as Failure, 'refused (-33000)'],
    [{ kind: 'unreachable', server: 'ehr' }, 'not reached'],
    [{ kind: 'timeout', server: 'ehr' }, 'no answer in time'],
    [{ kind: 'nonsense', server: 'ehr' }, 'not a valid reply'],
    [{ kind: 'http', server: 'ehr', status: 503 }, 'HTTP 503'],
  ];
  for (const [failure, words] of endings) {
    const call = {
      id: 1,
      server: 'ehr',
      method: 'patient.get_patient',
      at: 0,
      duration: 5,
      patientFields: [],
    } as const;
    const ended = { state: failure ? 'failed' : 'ok', failure, request: {}, reply: undefined } as const;
    const shown = renderToStaticMarkup(<WireItem entry={{ ...call, ...ended, patientFields: [] }} />);
    expect(shown).toContain(`</span><span>${words}</span>`);
  }
});
