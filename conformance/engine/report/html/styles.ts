/** The style of the page, in the order in which it applies. */
import { baseStyles } from './styles-base.ts';
import { cardStyles } from './styles-cards.ts';
import { diagramStyles } from './styles-diagram.ts';
import { printStyles } from './styles-print.ts';
import { tableStyles } from './styles-table.ts';

export const styles = [baseStyles, cardStyles, diagramStyles, tableStyles, printStyles].join('\n');
