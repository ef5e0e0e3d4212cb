/**
 * The programs that contain the conformance kit. They share one built file, because the kit is most of each:
 * apart, a package would carry it several times.
 */
export const start = {
  'ehr-conformance': () => import('#conformance/main.ts'),
  console: () => import('#console/main.ts'),
  e2e: () => import('#e2e/command/installed.ts'),
  interop: () => import('#e2e/interop/main.ts'),
};
