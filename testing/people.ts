/** The properties of the personas as their clients send them, for tests that send messages themselves. */
import { personas, propertiesOf } from '#mis-fixtures/personas.ts';

export const anna = propertiesOf(personas.anna);
export const ivan = propertiesOf(personas.twins, 0);
export const oleg = propertiesOf(personas.twins, 1);
export const boris = propertiesOf(personas.boris);
export const maria = propertiesOf(personas.namesakes);
export const alyoshin = propertiesOf(personas.alyoshin);
export const rufus = propertiesOf(personas.rufus);
export const rufusCard = '123456';
