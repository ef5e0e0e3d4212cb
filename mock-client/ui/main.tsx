/** The page's entry. Only this file passes the browser's clock, storage and network to the flow. */
import '../no-eval.ts';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { systemClock } from '#protocol/time/clock.ts';
import { createMemory, storageAt, storageOrSubstitute } from '../flow/memory.ts';
import { startFlow } from '../flow/run-effects.ts';
import { createRpc, loadConfig } from '../rpc.ts';
import { createWireLog } from '../wire/wire-log.ts';
import { App } from './app.tsx';
import { LanguageProvider } from './language.tsx';
import { ErrorBoundary, NoSettings } from './parts/plain-page.tsx';

const root = createRoot(document.getElementById('app') as HTMLElement);
const clock = systemClock;
const device = storageOrSubstitute(() => window.localStorage);
const inLanguage = (page: ReactNode) => (
  <LanguageProvider storage={device} preferred={navigator.languages}>
    <ErrorBoundary onReload={() => window.location.reload()}>{page}</ErrorBoundary>
  </LanguageProvider>
);

try {
  const config = await loadConfig(clock);
  const wireLog = createWireLog();
  const rpc = createRpc({ config, clock, observe: wireLog.observe });
  const tab = storageOrSubstitute(() => window.sessionStorage);
  const { pathname } = window.location;
  const memory = createMemory(storageAt(pathname, tab), storageAt(pathname, device));
  const flow = startFlow({ rpc, memory, clock });
  root.render(
    <StrictMode>
      {inLanguage(<App flow={flow} wireLog={wireLog} config={config} clock={clock} />)}
    </StrictMode>,
  );
} catch (error) {
  root.render(
    inLanguage(
      <NoSettings
        detail={error instanceof Error ? error.message : String(error)}
        onRetry={() => window.location.reload()}
      />,
    ),
  );
}
