/** The lines of the lanes as a virtual list: ten thousand messages cost no more than those in view. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefCallback, useCallback, useEffect, useMemo, useRef } from 'react';
import type { LiveVerdict, Message, Remark } from '../../../api.ts';
import { isFiltered, type Line } from '../../model/lines.ts';
import { verdictsShown } from '../../model/model.ts';
import { useConsole } from '../context.ts';
import { countdown, outcomeWords, partyNames, splitMethod, timeOfDay } from '../format.ts';
import { VerdictMark } from '../verdicts.tsx';
import { TOUR_STEPS, type TourStep } from './tour.tsx';

/** That of a remark or a step is measured once it is drawn: no text of it is cut. */
const HEIGHTS_PX: Readonly<Record<LaneRow['kind'], number>> = {
  call: 32,
  reply: 27,
  remark: 40,
  tourStep: 110,
};
/** Lines drawn beyond the view, so that none is missing while scrolling. */
const OVERSCAN = 12;
/** Nearer to the end than this, the reader is at the end. */
const END_PX = 40;

export function LaneList({ lines }: { lines: readonly LaneRow[] }) {
  const { model, act, ui } = useConsole();
  const { follows, chosen, filter } = model;
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => HEIGHTS_PX[lines[index]?.kind ?? 'call'],
    getItemKey: useCallback((index: number) => keyOf(lines[index]), [lines]),
    overscan: OVERSCAN,
    paddingStart: 6,
    paddingEnd: 24,
  });
  const verdicts = useVerdictsByMessage();

  const heightPx = virtual.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a remark that is measured later moves the end
  useEffect(() => {
    if (follows && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines, follows, virtual, heightPx]);

  // On a narrow screen the lanes scroll when they come into view again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new choice scrolls, not each new line
  useEffect(() => {
    const index = lines.findIndex((line) => line.kind === 'call' && line.message.id === chosen);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  }, [chosen, ui.view]);

  function onWheel() {
    const { scrollHeight, scrollTop, clientHeight } = scroller.current as HTMLElement;
    const atEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    if (atEnd !== follows) act.follow(atEnd);
  }

  if (lines.length === 0) return <NothingYet filtered={isFiltered(filter)} />;
  return (
    <section
      className="lane-scroll"
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Messages of the three wires"
      onWheel={onWheel}
      onTouchMove={onWheel}
    >
      <ol className="lane-list" style={{ height: heightPx }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const line = lines[index] as LaneRow;
          const place = { start, index, measure: virtual.measureElement };
          if (line.kind === 'tourStep') return <TourNote key={key} step={line.step} {...place} />;
          return <LaneLine key={key} line={line} verdicts={verdicts} size={size} {...place} />;
        })}
      </ol>
    </section>
  );
}

/** The same for the same line: what was measured of it still holds when others come before it. */
function keyOf(line: LaneRow | undefined): string {
  if (!line) return '';
  if (line.kind === 'tourStep') return line.step.title;
  return `${line.kind} ${line.kind === 'remark' ? line.remark.id : line.message.id}`;
}

function NothingYet({ filtered }: { filtered: boolean }) {
  const { model } = useConsole();
  const step = model.overview?.scenario.step ?? 0;
  // Steps without messages: those of a snapshot that was restored.
  const isRestored = step > 0 && model.waiting.length === 0;
  if (filtered) return <p className="lane-empty">No message fits the filter.</p>;
  return (
    <div className="lane-empty">
      <h2>{isRestored ? 'Nothing has crossed since the snapshot' : 'Nothing has crossed yet'}</h2>
      <p>
        {isRestored
          ? 'The steps above were made before it. Their messages are no part of a snapshot.'
          : 'Play a scenario, or choose a person and sign in: each message appears here as it crosses.'}
      </p>
    </div>
  );
}

/** The verdicts that stand in the margin of each message. */
function useVerdictsByMessage(): ReadonlyMap<number, readonly LiveVerdict[]> {
  const { model } = useConsole();
  const { verdicts, replay } = model;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two alone decide which verdicts are shown
  return useMemo(() => Map.groupBy(verdictsShown(model), ({ message }) => message ?? -1), [verdicts, replay]);
}

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

const LaneLine = memo(function LaneLine({ line, verdicts, start, size, index, measure }: LaneLineProps) {
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
  const answer = waits ? outcomeWords.underWay : message.answer;
  return (
    <>
      <span className="line-time">{time(beganAt)}</span>
      <button
        type="button"
        className="arrow"
        data-message={id}
        aria-current={model.chosen === id}
        aria-label={`Message ${id}: ${partyNames[from]} calls ${partyNames[to]}, ${method}; answer: ${answer}`}
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
        {fault !== undefined && <span className="label-fault">{` · trouble on purpose: ${fault}`}</span>}
        {patientData && <span className="label-fault">{' · carries patient data'}</span>}
      </span>
    </button>
  );
}

/** A line of the lanes, or a step of the introduction below its message. */
type LaneRow = Line | { readonly kind: 'tourStep'; readonly step: TourStep };

export function withTourSteps(lines: readonly Line[]): LaneRow[] {
  let left = TOUR_STEPS;
  return lines.flatMap<LaneRow>((line) => {
    if (line.kind !== 'reply') return [line];
    const { method, outcome } = line.message;
    const step = left.find(({ after }) => after.method === method && after.outcome === outcome);
    if (!step) return [line];
    left = left.filter((each) => each !== step);
    return [line, { kind: 'tourStep', step }];
  });
}

type TourNoteProps = { step: TourStep; start: number; index: number; measure: RefCallback<HTMLLIElement> };

/** As high as its text needs: the list measures it. */
function TourNote({ step: { title, text }, start, index, measure }: TourNoteProps) {
  return (
    <li
      className="tour-note"
      ref={measure}
      data-index={index}
      style={{ transform: `translateY(${start}px)` }}
    >
      <div className="tour-note-card">
        <b>{title}</b>
        <p>{text}</p>
      </div>
    </li>
  );
}
