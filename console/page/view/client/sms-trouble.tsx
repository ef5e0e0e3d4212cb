/** Trouble with text messages on their way to the phone: what happens to them, and to how many. */
import type { TextTrouble } from '../../../api.ts';
import { useConsole } from '../context.ts';

const KINDS = [
  'none',
  'late',
  'lost',
  'doubled',
  'outOfOrder',
] as const satisfies readonly TextTrouble['kind'][];

export function SmsTrouble() {
  const { model, act, say } = useConsole();
  const trouble = model.overview?.textTrouble ?? { kind: 'none', times: 1 };
  const set = (change: Partial<TextTrouble>) =>
    void act.textTrouble({ kind: trouble.kind, times: trouble.times, ...change });
  return (
    <span className={`sms-trouble ${trouble.kind === 'none' ? '' : 'is-bad'}`}>
      <select
        className="btn"
        aria-label={say('smsTrouble')}
        value={trouble.kind}
        onChange={({ target }) => set({ kind: target.value as TextTrouble['kind'], times: 1 })}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {say(`sms_${kind}`)}
          </option>
        ))}
      </select>
      {trouble.kind !== 'none' && (
        <select
          className="btn"
          aria-label={say('troubleTimes')}
          value={String(trouble.times)}
          onChange={({ target }) =>
            set({ times: target.value === 'untilOff' ? 'untilOff' : Number(target.value) })
          }
        >
          <option value="1">{say('next')}</option>
          <option value="3">{say('nextN', { n: 3 })}</option>
          <option value="untilOff">{say('untilOff')}</option>
        </select>
      )}
    </span>
  );
}
