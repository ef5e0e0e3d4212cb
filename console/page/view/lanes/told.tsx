/** The sentences of the tour beside the messages of the first link that they speak of. */
import type { RefCallback } from 'react';
import type { Outcome } from '../../../api.ts';
import type { Line } from '../../model/lines.ts';
import { texts } from '../../texts.ts';

/** `outcome` is what the sentence speaks of: a call that ended otherwise shows it not. */
type Told = { readonly title: string; readonly text: string; readonly outcome: Outcome };

/** A line of the lanes, or a sentence between them. */
export type LaneRow = Line | { readonly kind: 'told'; readonly told: Told };

/** By the method after whose first such reply each stands. */
const TOLD: Readonly<Record<string, Told>> = {
  'auth.confirm_otp': { title: texts.tour1, text: texts.tour1Text, outcome: 'done' },
  'patient.get_patient': { title: texts.tour2, text: texts.tour2Text, outcome: 'refused' },
  'auth.exchange_token': { title: texts.tour3, text: texts.tour3Text, outcome: 'done' },
  'embedded_storage.authenticate': { title: texts.tour4, text: texts.tour4Text, outcome: 'done' },
};

export function withTold(lines: readonly Line[]): LaneRow[] {
  const toTell = new Map(Object.entries(TOLD));
  return lines.flatMap<LaneRow>((line) => {
    if (line.kind !== 'reply') return [line];
    const { method, outcome } = line.message;
    const told = toTell.get(method);
    if (told?.outcome !== outcome) return [line];
    toTell.delete(method);
    return [line, { kind: 'told', told }];
  });
}

export type ToldNoteProps = { told: Told; start: number; index: number; measure: RefCallback<HTMLLIElement> };

/** As high as its text needs: the list measures it. */
export function ToldNote({ told, start, index, measure }: ToldNoteProps) {
  return (
    <li className="told" ref={measure} data-index={index} style={{ transform: `translateY(${start}px)` }}>
      <div className="told-card">
        <b>{told.title}</b>
        <p>{told.text}</p>
      </div>
    </li>
  );
}
