/** The lines of the lanes as a virtual list: ten thousand messages cost no more than those in view. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { LiveVerdict } from '../../../api.ts';
import { isFiltered } from '../../model/filter.ts';
import { verdictsShown } from '../../model/model.ts';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { LaneLine } from './lane-line.tsx';
import { type LaneRow, ToldNote } from './told.tsx';

/** That of a remark or a sentence is measured once it is drawn: no text of it is cut. */
const HEIGHTS_PX: Readonly<Record<LaneRow['kind'], number>> = { call: 32, reply: 27, remark: 40, told: 110 };
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

  useEffect(() => {
    if (follows && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [lines, follows, virtual]);

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
      aria-label={texts.lanes}
      onWheel={onWheel}
      onTouchMove={onWheel}
    >
      <ol className="lane-list" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const line = lines[index] as LaneRow;
          const place = { start, index, measure: virtual.measureElement };
          if (line.kind === 'told') return <ToldNote key={key} told={line.told} {...place} />;
          return <LaneLine key={key} {...{ line, verdicts, size }} {...place} />;
        })}
      </ol>
    </section>
  );
}

/** The same for the same line: what was measured of it still holds when others come before it. */
function keyOf(line: LaneRow | undefined): string {
  if (!line) return '';
  if (line.kind === 'told') return line.told.title;
  return `${line.kind} ${line.kind === 'remark' ? line.remark.id : line.message.id}`;
}

function NothingYet({ filtered }: { filtered: boolean }) {
  const { model } = useConsole();
  const step = model.overview?.scenario.step ?? 0;
  // Steps without messages: those of a snapshot that was restored.
  const isRestored = step > 0 && model.held.length === 0;
  if (filtered) return <p className="lane-empty">{texts.emptyFilter}</p>;
  return (
    <div className="lane-empty">
      <h2>{isRestored ? texts.restoredTitle : texts.emptyTitle}</h2>
      <p>{isRestored ? texts.restoredText : texts.emptyText}</p>
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
