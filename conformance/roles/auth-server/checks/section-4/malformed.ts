/** Malformed requests: cut off, of the wrong type, with the wrong method (good practice on §4). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, MAX_EVIDENCE, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import { traceIn } from '../../../../engine/journal/secrets/traces.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { aroundNames, emptyNames, noTextNames, oddCodes } from '../../flows/codes/odd-codes.ts';
import { severalPhones, togetherWays } from '../../flows/codes/several-phones.ts';
import { firstLink } from '../../flows/links/linking.ts';
import { asGet, askedNames, bodyNames, endings, malformed } from '../../flows/requests/malformed.ts';

const oddSteps = [
  ...askedNames.flatMap((asked) => bodyNames.map((name) => malformed.steps.instead(asked, name))),
  ...[...emptyNames, ...noTextNames, ...aroundNames].map((name) => oddCodes.steps.instead(name)),
  ...togetherWays.map((way) => severalPhones.steps.request(way)),
];

function judgeMalformed(journal: JournalView): Finding {
  const played = oddSteps.flatMap((label) => journal.steps(label));
  const control = journal.step(malformed.steps.signIn);
  if (played.length === 0) return notRun(journal, malformed.steps.signIn);
  const broken = played.filter(({ result }) => result.kind === 'failed' && result.what === 'server-error');
  const [one] = broken;
  if (one)
    return fail({
      expected: 'a refusal: HTTP 4xx, or a JSON-RPC error',
      actual: `${describe(one.result)}, at ${labelsOf(broken)}`,
      evidence: broken.flatMap(({ evidence }) => evidence).slice(0, MAX_EVIDENCE),
      advice:
        'Verify the type of everything that a request has in it before it is used, and answer what is wrong with 400.',
    });
  if (!control) return notRun(journal, malformed.steps.signIn);
  if (control.result.kind !== 'done')
    return inconclusive(`a good request did not succeed either (${describe(control.result)})`, control.evidence);
  const silent = played.find(({ result }) => result.kind === 'failed' && result.what !== 'unexpected-answer');
  if (silent) return inconclusive(describe(silent.result), silent.evidence);
  const taken = played.find(({ step, result }) => step.scenario === malformed.id && result.kind === 'done');
  if (taken) return notApplicable(`the server takes it for a good request (at "${taken.step.label}")`);
  return pass([...control.evidence, ...played.flatMap(({ evidence }) => evidence)].slice(0, MAX_EVIDENCE));
}

function labelsOf(played: readonly PlayedStep[]): string {
  const labels = [...new Set(played.map(({ step }) => `"${step.label}"`))];
  return `${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ', …' : ''}`;
}

function judgeTraces(journal: JournalView): Finding {
  const answers = journal.exchanges('client->auth').filter(({ response }) => response);
  const found = answers.flatMap(({ seq, response }) => {
    const platform = traceIn(response?.body ?? '');
    return platform === undefined ? [] : [{ seq, platform }];
  });
  const [one] = found;
  if (one)
    return fail({
      expected: 'an error that names what is wrong with the request',
      actual: `a stack trace of ${one.platform} (${found.length} ${found.length === 1 ? 'answer' : 'answers'})`,
      evidence: found.map(({ seq }) => seq).slice(0, MAX_EVIDENCE),
      advice:
        'Catch what a request can cause and log it; tell the client nothing of your code, its paths and its versions.',
    });
  const done = journal.allSteps('exchangeToken').find(({ result }) => result.kind === 'done');
  return done ? pass(done.evidence) : inconclusive('the server did nothing that a client asked for');
}

function judgeGet(journal: JournalView): Finding {
  const { steps } = asGet;
  const control = journal.step(steps.tokenControl);
  const tried = [steps.confirm, steps.token, ...endings.map((ending) => steps.end(ending))];
  const seen = tried.flatMap((label) => journal.observations(label).map(({ values }) => ({ label, values })));
  if (seen.length === 0) return notRun(journal, steps.confirm);
  const advice =
    'Do what changes something at POST alone, and answer 405 to GET: a GET is sent by every image of a foreign page, and its address is logged.';
  const opened = seen.find(({ label, values }) => values.isDone && (label === steps.confirm || label === steps.token));
  if (opened)
    return fail({
      expected: 'a refusal, such as HTTP 405',
      actual: `"${opened.label.label}" was carried out`,
      evidence: journal.steps(opened.label).flatMap(({ evidence }) => evidence),
      advice,
    });
  if (!control) return notRun(journal, steps.tokenControl);
  for (const ending of endings) {
    const after = journal.step(steps.after(ending));
    if (control.result.kind === 'done' && after?.result.kind === 'refused')
      return fail({
        expected: 'the session lives on',
        actual: `${ending} by GET ended it`,
        evidence: [...journal.steps(steps.end(ending)).flatMap(({ evidence }) => evidence), ...after.evidence],
        advice,
      });
  }
  if (!seen.some(({ values }) => values.isChanged === true)) return notApplicable('nothing is asked for by POST');
  if (control.result.kind !== 'done')
    return inconclusive(`no exchange token was given by POST either (${describe(control.result)})`, control.evidence);
  return pass(control.evidence);
}

export const malformedChecks: readonly Check[] = [
  check({
    id: 'malformed-refused',
    title: 'What is no good request is refused, and is no error of the server',
    level: 'SHOULD',
    requirements: ['K-malformed-refused'],
    scenarios: [malformed, oddCodes, severalPhones],
    judge: judgeMalformed,
  }),
  check({
    id: 'no-trace-told',
    title: 'No answer to a client has a stack trace in it',
    level: 'SHOULD',
    requirements: ['K-no-trace-told'],
    scenarios: [firstLink, malformed, oddCodes, severalPhones],
    judge: judgeTraces,
  }),
  check({
    id: 'nothing-done-by-get',
    title: 'What is asked for by a POST is not done by a GET',
    level: 'SHOULD',
    requirements: ['K-nothing-by-get'],
    scenarios: [asGet],
    judge: judgeGet,
  }),
];
