import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import {
  commonReasons,
  type MethodSpec,
  type MethodTable,
  reasonsOf,
} from '#protocol/methods/method-spec.ts';
import { requirements } from '#protocol/requirements.ts';
import { pathOf } from '#protocol/site.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import { patient } from '#protocol/wire/fields.ts';
import { root } from '#scripts/set-up/set-up.mjs';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('docs/interface.md');
const anchors = new Set([...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id));

/** Returns the part of the page under an anchor, such as `<a id="4-1"></a>`. */
function sectionOf(id: string): string {
  return (
    page.split(/(?=<a id="\d+(?:-\d+)?"><\/a>\n)/).find((text) => text.startsWith(`<a id="${id}">`)) ?? ''
  );
}

test('each section that a requirement cites has an anchor, and each rule of §1', () => {
  const places = requirements
    .flatMap(({ clause }) => clause.split(', '))
    .filter((place) => place.startsWith('§'));
  expect(places.length).toBeGreaterThan(100);
  for (const place of new Set(places)) {
    expect(pathOf.place(place), place).toMatch('/interface#');
    expect(anchors, place).toContain(pathOf.place(place)?.split('#')[1]);
    const rule = / rule (\d)$/.exec(place)?.[1];
    if (rule !== undefined) expect(anchors, place).toContain(`1-rule-${rule}`);
  }
});

test('each heading has the number of the anchor before it', () => {
  // <a id="4-1"></a> and a line later: ### 4.1 embedded_storage.save_auth_info
  const numbered = [...page.matchAll(/<a id="(\d+(?:-\d+)?)"><\/a>\n\n#+ ([\d.]+)/g)];
  expect(numbered.map(([, id = '']) => id)).toEqual(
    numbered.map(([, , number = '']) => number.replace(/\.$/, '').replace('.', '-')),
  );
  expect(numbered).toHaveLength([...page.matchAll(/^##+ /gm)].length);
});

test('each error stands in §7 with its code', () => {
  // - `not_authorized` (-33000): …
  const rows = [...sectionOf('7').matchAll(/^- `([a-z_]+)` \((-\d+)\): /gm)].map(([, reason, code]) => [
    reason,
    code,
  ]);
  const known = Object.entries(errorTable).map(([reason, { code }]) => [reason, String(code)]);
  expect(rows).toEqual(known);
});

test('each section of a method has its errors and its example', () => {
  const described = [...page.matchAll(/^### (4\.\d) (\S+)$/gm)];
  expect(described).toHaveLength(6);
  for (const [, number = '', name = ''] of described) {
    const spec = (ehrMethods as MethodTable)[name] as MethodSpec;
    expect(spec.clause).toBe(`§${number}`);
    const section = sectionOf(number.replace('.', '-'));
    const listed = [...(section.split('Errors: ')[1]?.split('.\n')[0] ?? '').matchAll(/`([a-z_]+)`/g)];
    const own = reasonsOf(spec).filter((reason) => !commonReasons.includes(reason));
    expect(listed.map(([, reason]) => reason).sort(), name).toEqual([...own].sort());
    const { params, cred } = spec.example;
    expect(JSON.parse(/```json\n(.*)/.exec(section)?.[1] ?? '')).toEqual({
      ...{ jsonrpc: '2.0', id: 1, method: name, params },
      ...(cred && { cred }),
    });
  }
});

test('each method of the authorization server and each member of a record is named', () => {
  for (const name of Object.keys(authMethods)) expect(sectionOf('5-4')).toContain(`\`${name}\``);
  const text = sectionOf('2-6');
  for (const member of Object.keys(patient.shape)) expect(text).toContain(`\`${member}\``);
});
