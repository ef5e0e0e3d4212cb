/** Settings of the audit record. */
import { z } from 'zod';
import { type SettingsTable, wholeNumber } from '#service/process/command-line/settings.ts';

export const auditSettings = {
  audit: {
    flag: '--audit <rule>',
    env: 'EHR_AUDIT',
    default: 'on',
    schema: z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on'),
    help: 'record of every access to patient data and every change of a session or link: on, or off for load tests',
  },
  auditRetentionDays: {
    flag: '--audit-retention-days <number>',
    env: 'EHR_AUDIT_RETENTION_DAYS',
    default: '1095',
    schema: wholeNumber(1, 36_500),
    help: 'how long entries of the audit are kept',
  },
} as const satisfies SettingsTable;
