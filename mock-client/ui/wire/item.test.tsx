import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Failure } from '../../calls.ts';
import { refused } from '../../flow/testing/walk.ts';
import { WireItem } from './item.tsx';

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
