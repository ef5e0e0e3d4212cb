/** One line of the lanes: a call, a reply, or a remark. */
import { memo } from 'react';
import type { LiveVerdict, Message } from '../../../api.ts';
import type { Line } from '../../model/lines.ts';
import { remarkIn } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { countdown, splitMethod, timeOfDay } from '../format.ts';
import { VerdictMark } from '../parts/verdict-mark.tsx';

type LaneLineProps = {
  line: Line;
  verdicts: ReadonlyMap<number, readonly LiveVerdict[]>;
  /** From the top of the list, in pixels. Numbers, so that an equal line is not drawn again. */
  start: number;
  size: number;
};

export const LaneLine = memo(function LaneLine({ line, verdicts, start, size }: LaneLineProps) {
  const style = { height: size, transform: `translateY(${start}px)` };
  const { model, language } = useConsole();
  const begun = model.replay?.startedAt;
  // The times of a saved run count from its beginning.
  const time = (at: number) => (begun === undefined ? timeOfDay(at) : countdown(at - Date.parse(begun)));
  if (line.kind === 'remark') {
    const { text, lang } = remarkIn(language, line.remark.text);
    return (
      <li className="line remark" style={style}>
        <span className="remark-text" title={text} lang={lang}>
          {text}
        </span>
        <span className="remark-time">{time(line.remark.at)}</span>
      </li>
    );
  }
  const { message } = line;
  const chosen = model.chosen === message.id ? 'is-chosen' : '';
  const alarming = message.patientData ? 'is-alarming' : '';
  const inner = message.wire === 'auth->ehr' ? 'is-internal' : '';
  const classes = `line ${line.kind} on-${message.wire.replace('->', '-')} ${message.outcome} ${chosen} ${alarming} ${inner}`;
  return (
    <li className={classes} style={style}>
      {line.kind === 'call' ? (
        <Call message={message} time={time(message.beganAt)} />
      ) : (
        <Reply message={message} verdicts={verdicts.get(message.id) ?? []} />
      )}
    </li>
  );
});

function Call({ message, time }: { message: Message; time: string }) {
  const { model, act, say, setUi } = useConsole();
  const { id, from, to, method, answer, person, summary } = message;
  const [service, name] = splitMethod(method);
  return (
    <>
      <span className="line-time">{time}</span>
      <button
        type="button"
        className="arrow"
        data-message={id}
        aria-current={model.chosen === id}
        aria-label={say('messageOf', { id, from: say(from), to: say(to), method, answer })}
        onClick={() => {
          void act.choose(id);
          setUi({ tab: 'message', view: 'details' });
        }}
      >
        <span className="label">
          {person !== undefined && from === 'client' && <b className="label-person">{`${person} `}</b>}
          <span className="label-service">{service}</span>
          <span>{name}</span>
          {summary !== '' && <span className="label-summary">{` · ${summary}`}</span>}
        </span>
      </button>
    </>
  );
}

/** The reply belongs to the button of its call: it can be clicked, and is not read out again. */
function Reply({ message, verdicts }: { message: Message; verdicts: readonly LiveVerdict[] }) {
  const { act, say, setUi } = useConsole();
  const { id, answer, fault, outcome } = message;
  return (
    <>
      <button
        type="button"
        className="arrow"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => {
          void act.choose(id);
          setUi({ tab: 'message', view: 'details' });
        }}
      >
        <span className="label">
          <span>{outcome === 'broken' ? `✕ ${answer}` : answer}</span>
          {fault !== undefined && <span className="label-fault">{` · ${say('faultOf', { fault })}`}</span>}
          {message.patientData && <span className="label-fault">{` · ${say('carriesData')}`}</span>}
        </span>
      </button>
      <VerdictMark verdicts={verdicts} />
    </>
  );
}
