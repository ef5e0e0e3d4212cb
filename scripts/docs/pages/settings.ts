/** `docs/settings.md`: the settings of every program, from the tables with which it reads them. */
import type { SettingsTable } from '#service/process/command-line/settings.ts';
import { code, GENERATED, page, table } from '../markdown.ts';

/** One program and its settings. */
export type DocumentedProgram = {
  readonly title: string;
  readonly command: string;
  readonly settings: SettingsTable;
};

export function settingsPage(programs: readonly DocumentedProgram[]): string {
  return page(
    GENERATED,
    '# Settings',
    'Every setting is a flag and an environment variable. A flag wins over its variable, which wins over the default. Flags follow two hyphens: `npm run ehr -- --port 4100`.',
    ...programs.flatMap(({ title, command, settings }) => [
      `## ${title}`,
      code(command),
      settingsTable(settings),
    ]),
  );
}

function settingsTable(settings: SettingsTable): string {
  const rows = Object.values(settings).map((setting) => [
    code(setting.flag),
    code(setting.env),
    setting.default === undefined ? '' : code(setting.default === '' ? '(empty)' : setting.default),
    `${setting.help}${setting.secret ? ' (secret)' : ''}`,
  ]);
  return table(['Flag', 'Variable', 'Default', 'Meaning'], rows);
}
