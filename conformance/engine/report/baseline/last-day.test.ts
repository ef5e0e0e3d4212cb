import { expect, test } from 'vitest';
import { readUntil } from './last-day.ts';

/** The texts of a list, which bars part. */
const listed = (list: string) => list.split('|').map((text) => text.trim());

/** Notations of the last day of March 2020 that leave no doubt. */
const MEANT = listed(`
  31.03.2020 | 31.3.2020 | 31. 3. 2020 | 2020/03/31 | 2020/3/31 | 2020.03.31 | 2020 03 31 |
  2020-3-31 | 31-03-2020 | 31/03/2020 | 03/31/2020 | 3/31/2020 | 20200331 | 2020-03-31T23:59:59Z |
  2020-03-31 12:00 | March 31, 2020 | march 31 2020 | Mar 31, 2020 | 31 March 2020 |
  31st of March 2020 | 31-Mar-2020 | 31. März 2020 | 31. Maerz 2020 | 31 марта 2020 |
  31 марта 2020 г. | Tue Mar 31 2020 | 31.03.2020. | (2020-03-31) | the 2020-03-31 |
  about 31.03.2020 | 2020-03-31, see ticket 12 | "2020-03-31"`);

test.each(MEANT)('%s is refused with the day that it means', (text) => {
  expect(readUntil(text)).toEqual({ refused: true, meant: '2020-03-31' });
});

/** Times that are not one day, or leave a doubt which day it is. */
const DOUBTFUL = listed(`
  03/04/2020 | 3-4-2020 | 31.03. | 31/03 | 7.2 | 31.03.20 | 310320 | 2020 | 03/2020 | 2020-03 |
  March 2020 | March | end of March | mid-March | März | Q1 2020 | Q3 | 2020-W13 | KW 13 | week 13 |
  end of 2020 | the end of the year | end of the quarter | next week | tomorrow | next Friday |
  30 days | two weeks | 2020-02-30 | 2020-13-01 | 31.02.2020 | release 5, 2020 | 30. Februar 2020`);

test.each(DOUBTFUL)('%s is refused, and no day is guessed', (text) => {
  expect(readUntil(text)).toEqual({ refused: true, meant: undefined });
});

test.each(['2020-03-31', ' 2020-03-31 ', '2020\u201103\u201131', '2020–03–31', '２０２０-０３-３１'])(
  '%s is a day',
  (text) => {
    expect(readUntil(text)).toEqual({ day: '2020-03-31' });
  },
);

/** Words for people: releases, tickets and events. */
const WORDS = listed(`
  release 5 | release 7.2 | release 2026.1 | Release 2026-03 | version 10.11.12 | v7.2 | sprint 42 |
  ticket 12 | #4711 | ABC-2020 | the next release | the vendor answers | release 5 in May | then |
  the security team has decided | they may answer | build 20260301 | milestone 3 | релиза 5 | b |
  decided`);

test.each(WORDS)('%s is for people', (text) => {
  expect(readUntil(text)).toEqual({ words: true });
});
