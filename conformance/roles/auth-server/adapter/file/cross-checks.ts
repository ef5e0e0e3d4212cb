/** Checks an adapter file for rules that a schema cannot express. */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { type StepName, stepNames } from '../../../../engine/journal/entry.ts';
import { clientSteps } from '../../../../engine/journal/names.ts';
import type { Path, Problem, Section } from '../../../../engine/party/file/problem.ts';
import { choiceProblems, serverFileProblems } from '../../../../engine/party/file/read-settings.ts';
import { templateProblems } from '../../../../engine/party/file/template-checks.ts';
import { REQUIRED_VALUES } from '../adapter.ts';

/** Returns the problems of the content. Values of a wrong type are skipped: the schema reports them. */
export function crossProblems(data: Section, { drivenOtherwise }: { drivenOtherwise: boolean }): Problem[] {
  const steps = membersOf(data.steps);
  return [
    ...serverFileProblems(data),
    ...chosenProblems(data),
    ...serverProblems(data),
    ...(drivenOtherwise ? [] : stepProblems(steps, data.otp !== undefined)),
    ...templateProblems(data),
  ];
}

function problem(path: Path, sentence: string): Problem {
  return { path, at: 'key', sentence };
}

function chosenProblems({ otp, steps }: Section): Problem[] {
  const { outbox } = membersOf(otp);
  return [
    ...choiceProblems(otp, ['otp'], ['sink', 'outbox', 'fixed', 'ask']),
    ...choiceProblems(outbox, ['otp', 'outbox'], ['code', 'text']),
    ...choiceProblems(membersOf(outbox).request, ['otp', 'outbox', 'request'], ['path', 'url']),
    ...Object.entries(membersOf(steps)).flatMap(([name, step]) => {
      if (!isObject(step) || 'absent' in step || 'manual' in step) return [];
      const before = isObject(step.before) ? { method: 'GET', ...step.before } : undefined;
      const path = ['steps', name];
      return [
        ...requestProblems(step, path),
        ...(before ? requestProblems(before, [...path, 'before']) : []),
      ];
    }),
  ];
}

function requestProblems(request: Section, path: Path): Problem[] {
  const body = ['json', 'form', 'body'].find((key) => request[key] !== undefined);
  const sentence = 'cannot be sent with GET. Please choose another method, or leave it out.';
  return [
    // A JSON-RPC server has one endpoint, usually at its root.
    ...choiceProblems(request, path, ['path', 'url'], !('rpc' in request)),
    ...choiceProblems(request, path, ['json', 'form', 'body'], false),
    ...(request.method === 'GET' && body ? [problem([...path, body], sentence)] : []),
  ];
}

/** Reports a missing `ehr.configuredIn`. Where the kit starts the server, it hands the address over. */
function serverProblems(data: Section): Problem[] {
  const { start } = membersOf(data.server);
  if (start !== undefined || membersOf(data.ehr).configuredIn !== undefined) return [];
  const what =
    'configuredIn: one sentence on where the address of the EHR server is set in the server under test, such as "EHR_URL in docker-compose.yml". The doctor shows it when no call arrives.';
  return [
    'ehr' in data ? problem(['ehr'], `lacks ${what}`) : problem([], `lacks the section ehr with ${what}`),
  ];
}

function stepProblems(steps: Section, hasOtp: boolean): Problem[] {
  const missing = clientSteps.filter((name) => steps[name] === undefined);
  const problems = missing.map((name) =>
    problem(
      ['steps', name],
      'is missing. Please say how a client does it, or { absent: "<reason>" } when the server has no such step.',
    ),
  );
  const confirmOtp = membersOf(steps.confirmOtp);
  if ('absent' in confirmOtp)
    problems.push(
      problem(
        ['steps', 'confirmOtp', 'absent'],
        'leaves nothing to judge: nobody can sign in. Please describe the sign-in here, whatever it is called.',
      ),
    );
  const isRequested = isObject(steps.requestOtp) && !('absent' in steps.requestOtp);
  if (isRequested && !('manual' in confirmOtp) && !hasOtp)
    problems.push(
      problem(
        ['otp'],
        'is missing: a code is requested, and nothing says how it is learned. Please add one of sink, outbox, fixed, ask.',
      ),
    );
  return [...problems, ...stepNames.flatMap((name) => extractProblems(name, steps[name]))];
}

function extractProblems(name: StepName, step: unknown): Problem[] {
  if (!isObject(step) || 'absent' in step || 'manual' in step) return [];
  const lacking = (REQUIRED_VALUES[name] ?? []).filter(
    (value) => membersOf(step.extract)[value] === undefined,
  );
  if (lacking.length === 0) return [];
  const example =
    name === 'confirmOtp'
      ? 'extract: { user: /user, token: /token }'
      : 'extract: { exchangeToken: /exchangeToken }';
  return [
    problem(
      ['steps', name, 'extract'],
      `must say where ${lacking.join(' and ')} stand${lacking.length > 1 ? '' : 's'} in the answer, such as ${example}.`,
    ),
  ];
}
