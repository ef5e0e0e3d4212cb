import { afterEach, expect, test, vi } from 'vitest';
import { endWithParent } from './end-with-parent.mjs';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('the death of the parent asks the program to end once', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const ppid = vi.spyOn(process, 'ppid', 'get').mockReturnValue(10);
  const looks = new Set<() => void>();
  vi.stubGlobal('setInterval', (look: () => void) => ({ unref: () => looks.add(look) && look }));
  vi.stubGlobal('clearInterval', (look: () => void) => looks.delete(look));
  const lookAgain = () => {
    for (const look of looks) look();
  };
  endWithParent();
  lookAgain();
  expect(kill).not.toHaveBeenCalled();
  ppid.mockReturnValue(1);
  lookAgain();
  lookAgain();
  expect(kill.mock.calls).toEqual([[process.pid, 'SIGTERM']]);
});
