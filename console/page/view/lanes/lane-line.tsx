/** One line of the lanes: a call, a reply, or a remark. */
import { memo } from 'react';
import type { LiveVerdict, Message, Remark } from '../../../api.ts';
import type { Line } from '../../model/lines.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { countdown, splitMethod, timeOfDay } from '../format.ts';
import { VerdictMark } from '../parts/verdicts.tsx';

type LaneLineProps = {
  line: Line;
  verdicts: ReadonlyMap<number, readonly LiveVerdict[]>;
  /** From the top of the list, in pixels. Numbers, so that an equal line is not drawn again. */
  start: number;
  size: number;
  index: number;
  /** Measures a line whose height its text decides. It finds the line by `data-index`. */
  measure: (element: Element | null) => void;
};

export const LaneLine = memo(function LaneLine({
  line,
  verdicts,
  start,
  size,
  index,
  measure,
}: LaneLineProps) {
  const { model } = useConsole();
  const transform = `translateY(${start}px)`;
  if (line.kind === 'remark')
    return (
      <li className="line remark" style={{ transform }} data-index={index} ref={measure}>
        <RemarkText remark={line.remark} />
      </li>
    );
  const { id, wire, outcome, patientData } = line.message;
  const classes = [
    `line ${line.kind} on-${wire.replace('->', '-')} ${outcome}`,
    model.chosen === id && 'is-chosen',
    patientData && 'is-alarming',
    wire === 'auth->ehr' && 'is-internal',
  ];
  return (
    <li className={classes.filter(Boolean).join(' ')} style={{ height: size, transform }}>
      {line.kind === 'call' ? <Call message={line.message} /> : <Reply message={line.message} />}
      {line.kind === 'reply' && <VerdictMark verdicts={verdicts.get(id) ?? []} />}
    </li>
  );
});

function RemarkText({ remark }: { remark: Remark }) {
  const time = useLaneTime();
  return (
    <>
      <span className="remark-text">{remark.text}</span>
      <span className="remark-time">{time(remark.at)}</span>
    </>
  );
}

/** The times of a saved run count from its beginning. */
function useLaneTime(): (at: number) => string {
  const begun = useConsole().model.replay?.startedAt;
  return (at) => (begun === undefined ? timeOfDay(at) : countdown(at - Date.parse(begun)));
}

function Call({ message }: { message: Message }) {
  const { model, show } = useConsole();
  const time = useLaneTime();
  const { id, from, to, method, person, summary, beganAt, outcome } = message;
  const [service, name] = splitMethod(method);
  const waits = outcome === 'underWay';
  const answer = waits ? texts.outcome_underWay : message.answer;
  return (
    <>
      <span className="line-time">{time(beganAt)}</span>
      <button
        type="button"
        className="arrow"
        data-message={id}
        aria-current={model.chosen === id}
        aria-label={`Message ${id}: ${texts[from]} calls ${texts[to]}, ${method}; answer: ${answer}`}
        onClick={() => show(id)}
      >
        <span className="label">
          <span className="label-id">{`#${id}`}</span>
          {person !== undefined && from === 'client' && <b className="label-person">{person}</b>}
          <span className="label-method">
            <bdi>
              <span className="label-service">{service}</span>
              <span>{name}</span>
            </bdi>
          </span>
          {waits && <b className="label-waits">{`· ${answer}`}</b>}
          {summary !== '' && <span className="label-summary">{`· ${summary}`}</span>}
        </span>
      </button>
    </>
  );
}

/** The reply belongs to the button of its call: it can be clicked, and is not read out again. */
function Reply({ message: { id, answer, fault, outcome, patientData } }: { message: Message }) {
  const { show } = useConsole();
  return (
    <button type="button" className="arrow" tabIndex={-1} aria-hidden="true" onClick={() => show(id)}>
      <span className="label">
        <span>{outcome === 'broken' ? `✕ ${answer}` : answer}</span>
        {fault !== undefined && <span className="label-fault">{` · ${texts.faultOf(fault)}`}</span>}
        {patientData && <span className="label-fault">{` · ${texts.carriesData}`}</span>}
      </span>
    </button>
  );
}
