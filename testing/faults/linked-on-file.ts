/** For tests: an EHR server on a file, with a linked user, its log lines, and what each call came to. */
import { join } from 'node:path';
import { folderInMemory } from '../temporary-folder.ts';
import { linkedEhr } from '../worlds/linked-ehr.ts';

export async function linkedOnFile(level: 'info' | 'warn' = 'info') {
  const file = join(folderInMemory(), 'ehr.sqlite');
  const lines: string[] = [];
  const ehr = await linkedEhr({
    env: { EHR_DATABASE: file },
    mayFail: true,
    logTo: { level, write: (line) => lines.push(line) },
  });
  return {
    file,
    ehr,
    lines,
    save: async (token: string) =>
      (await ehr.saveAuthInfo({ ...ehr.authInfo, token }, ehr.userSign)).error?.data.reason ?? 'ok',
    read: async (token = ehr.cred.token) =>
      (await ehr.call('patient.get_patient', {}, { ...ehr.cred, token })).error?.data.reason ?? 'ok',
    page: async (path: string) => (await fetch(ehr.ehr.url + path)).status,
    told: (text: string) => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes(text)),
  };
}
