import { expect, test } from 'vitest';
import { patient } from '#protocol/wire/fields.ts';
import { people } from './people.ts';

test("the kit's own records are as the interface publishes them", () => {
  for (const [name, person] of Object.entries(people)) {
    const { error } = patient.safeParse(person.patient);
    expect([name, error?.issues]).toEqual([name, undefined]);
  }
});
