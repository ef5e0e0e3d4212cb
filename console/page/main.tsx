/** The page's entry. Only this file passes the browser's clock, storage and network to the page. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { systemClock } from '#protocol/time/clock.ts';
import { momentIn } from './connection/address.ts';
import { openNetwork } from './connection/network.ts';
import { createRequests } from './connection/requests.ts';
import { createController } from './model/controller.ts';
import { createStore } from './model/model.ts';
import { App } from './view/app.tsx';

const { location, localStorage: storage } = window;
const clock = systemClock;
const opened = momentIn(location.href);
const base = new URL('.', location.href).pathname;
const requests = createRequests({ base, ...openNetwork(window) });
const store = createStore();
const act = createController({ store, requests, clock });

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <App store={store} act={act} clock={clock} storage={storage} opened={opened} />
  </StrictMode>,
);
await act.open();
