import { expect } from 'vitest';
import { onEachEngine } from '#testing/on-each-engine.ts';
import { judge } from '../../judge.ts';
import { atOnceChecks } from '../flows/at-once.ts';
import { exchangeTokenChecks } from '../flows/linking/exchange-token.ts';
import { racesOfStateChecks } from '../flows/races-of-state.ts';
import { restartChecks } from '../flows/sessions/restart.ts';
import { stateTableChecks } from '../flows/state-table.ts';
import { playEhr } from './play.ts';

const { databases } = onEachEngine();

const ofTheStore = [
  ...[...exchangeTokenChecks, ...restartChecks, ...atOnceChecks, ...racesOfStateChecks],
  ...stateTableChecks,
];

databases(
  'the reference EHR server passes the checks of its store',
  async ({ open }) => {
    const store = await open();
    const scenarios = ofTheStore.map(({ scenario }) => scenario.id);
    const run = await playEhr({ parts: () => ({ store }) }, { scenarios });
    const others = judge(run, { checks: ofTheStore.map(({ check }) => check) }).filter(
      ({ outcome }) => outcome !== 'pass',
    );
    expect(others.map(({ check, finding }) => ({ check, finding }))).toEqual([]);
  },
  480_000,
);
