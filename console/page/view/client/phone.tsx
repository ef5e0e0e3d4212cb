/** The text messages as they come, with what happens to them on their way. One click fills a code in. */
import type { TextTrouble } from '../../../api.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { timeOfDay } from '../format.ts';
import { Button, Select } from '../parts.tsx';

/** Older messages than these are of no use to anybody who signs in now. */
const MAX_SHOWN = 3;

export function Phone() {
  const { model, filler } = useConsole();
  const messages = model.phone.slice(0, MAX_SHOWN);
  return (
    <section className="phone" aria-label={texts.phone}>
      <div className="row phone-heading">
        <h2>{texts.phone}</h2>
        <SmsTrouble />
      </div>
      {messages.length === 0 && <p className="hint">{texts.phoneNone}</p>}
      <ol className="sms-list" aria-live="polite">
        {messages.map(({ id, to, code, at }) => (
          <li key={id} className="sms">
            <span className="sms-to">{`${to} · ${timeOfDay(at)}`}</span>
            <b className="sms-code">{code}</b>
            <Button
              text={texts.fillCode}
              aria-label={texts.fillCodeOf(code)}
              onClick={() => filler.fillCode(code)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

const KINDS = ['none', 'late', 'lost', 'doubled', 'outOfOrder'] as const;

function SmsTrouble() {
  const { model, act } = useConsole();
  const { kind, times } = model.overview?.textTrouble ?? { kind: 'none', times: 1 };
  const set = (trouble: TextTrouble) => void act.textTrouble(trouble);
  return (
    <span className={`row sms-trouble ${kind === 'none' ? '' : 'is-bad'}`}>
      <Select
        aria-label={texts.smsTrouble}
        value={kind}
        options={KINDS.map((one) => [one, texts[`sms_${one}` as const]])}
        onChoose={(chosen) => set({ kind: chosen as TextTrouble['kind'], times: 1 })}
      />
      {kind !== 'none' && (
        <Select
          aria-label={texts.troubleTimes}
          value={String(times)}
          options={[
            ['1', texts.next],
            ['3', texts.nextN(3)],
            ['untilOff', texts.untilOff],
          ]}
          onChoose={(chosen) => set({ kind, times: chosen === 'untilOff' ? chosen : Number(chosen) })}
        />
      )}
    </span>
  );
}
