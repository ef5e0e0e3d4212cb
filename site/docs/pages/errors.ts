/** The page of errors: each reason for which a call is refused, and what never reaches JSON-RPC. */
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { commonReasons, type MethodTable, reasonsOf } from '#protocol/methods/method-spec.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { code, link, page, table } from '../markdown.ts';

export function errorsPage(): string {
  const reasons = Object.keys(errorTable) as Reason[];
  return page(
    '# Errors',
    'This page says when each error is given, and by which methods.',
    'An error is `{ "code", "message", "data": { "reason", "errors" } }`. Programs switch on `reason`: several reasons share a code. `errors`, where present, lists what is wrong with the input, one sentence each, without its values.',
    table(
      ['Reason', 'Code', 'Message'],
      reasons.map((reason) => [
        link(code(reason), `#${reason}`),
        String(errorTable[reason].code),
        errorTable[reason].message,
      ]),
    ),
    ...reasons.flatMap(errorSection),
  );
}

function errorSection(reason: Reason): string[] {
  const { code: number, message, when } = errorTable[reason];
  const tables = { ...ehrMethods, ...authMethods } as MethodTable;
  const methods = Object.entries(tables).filter(([, spec]) => reasonsOf(spec).includes(reason));
  const given = commonReasons.includes(reason)
    ? 'every call'
    : methods.map(([name]) => code(name)).join(', ');
  return [
    `## ${reason}`,
    `${code(String(number))} ${message}`,
    `Given when ${when}.`,
    `Given by: ${given}. The rules of the interface on errors: ${link('§7', '/interface#7')}.`,
  ];
}
