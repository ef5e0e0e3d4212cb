/** Shows what the page contains. Without this script the page says its conclusion in a sentence. */
import { flowsPage, matrixPage, type Shown } from './e2e.ts';
import { preparePrint } from './navigate.ts';
import { reportPage } from './report.ts';

async function start(): Promise<void> {
  preparePrint();
  const shown = await unpacked(document.getElementById('shown')?.textContent ?? '');
  if ('report' in shown) reportPage(shown.report);
  else if ('flows' in shown) flowsPage(shown.flows);
  else matrixPage(shown.matrix);
}

async function unpacked(text: string): Promise<Shown> {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return (await new Response(stream).json()) as Shown;
}

void start();
