/** The matrix as one HTML file that opens offline. */
import { pageOf } from '#conformance/engine/report/viewer/page.ts';
import { type Cell, isGreen } from './play.ts';
import { playedFlows, reasonsOf, tableOf, troublesOf } from './report.ts';

export function matrixPage(cells: readonly Cell[]): string {
  const green = cells.filter(isGreen).length;
  const isAllGreen = green === cells.length;
  const sentence = `${green} of ${cells.length} combinations play every flow that they can play.`;
  const troubles = troublesOf(cells).map(({ title, lines }) => ({
    title: `Behind the red: ${title}`,
    lines,
  }));
  const lists = [
    ...troubles,
    { title: 'Left out', lines: reasonsOf(cells) },
    { title: 'The flows', lines: playedFlows(cells) },
  ];
  return pageOf({
    title: `Who works with whom: ${sentence}`,
    sentence: 'With JavaScript this page shows them; so do matrix.md and matrix.json beside it.',
    shown: {
      matrix: {
        ...tableOf(cells),
        verdict: isAllGreen ? 'All work with each other' : `${cells.length - green} do not work`,
        isGreen: isAllGreen,
        sentence: `${sentence} Each cell is a run of the flows below with three parties.`,
        lists: lists.filter(({ lines }) => lines.length > 0),
      },
    },
  });
}
