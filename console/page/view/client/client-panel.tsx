/** The left side of the page: the people, the client in its frame, and the phone. */
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { Button } from '../parts/button.tsx';
import { emptyClientStorage, keepSession } from './client-storage.ts';
import { People } from './people.tsx';
import { Phone } from './phone.tsx';
import { PlayedByScript } from './played-by-script.tsx';

type FrameWindow = Window & { demoClockAheadMs?: number };

export function ClientPanel() {
  const { model, filler } = useConsole();
  const addresses = model.overview?.addresses;
  const frame = useRef<HTMLIFrameElement>(null);
  const clock = model.overview?.clock;
  const aheadMs = clock && clock.offsetMs + clock.skewMs.client;
  const setTime = useCallback(() => {
    const inner = frame.current?.contentWindow as FrameWindow | null | undefined;
    if (inner && aheadMs !== undefined) inner.demoClockAheadMs = aheadMs;
  }, [aheadMs]);
  // The server of the console gives the frame its time when it loads; later moves come from here.
  useEffect(setTime);
  const { timesEmptied, handedOver } = model;
  const place = addresses && new URL(addresses.clientFrame, window.location.href).pathname;
  useLayoutEffect(() => {
    // The old frame is gone, and the new one has not begun to load.
    if (timesEmptied > 0 && place !== undefined) emptyClientStorage(place, [localStorage, sessionStorage]);
  }, [timesEmptied, place]);
  useLayoutEffect(() => {
    // The same holds for the frame in which a person goes on.
    if (!handedOver.held || place === undefined) return;
    keepSession(place, handedOver.held, { tab: sessionStorage, device: localStorage });
    frame.current?.focus();
  }, [handedOver, place]);
  const isByScript = model.overview?.scenario.id != null;
  return (
    <section className="panel client-panel" aria-label={texts.client}>
      <People />
      <div className="device">
        <DeviceBar />
        {isByScript && <PlayedByScript />}
        {addresses && !isByScript && (
          <div className="device-screen">
            <iframe
              key={`${timesEmptied} ${handedOver.times}`}
              ref={frame}
              className="device-frame"
              title={texts.clientFrame}
              src={addresses.clientFrame}
              onLoad={(event) => {
                setTime();
                filler.attach(event.currentTarget);
              }}
            />
          </div>
        )}
        <Phone />
      </div>
    </section>
  );
}

/** Where the client is for others; in a page that all parties run in it is nowhere else. */
function DeviceBar() {
  const { model, setUi } = useConsole();
  const { addresses, isInPage } = model.overview ?? {};
  if (isInPage) return <p className="device-bar">{texts.inPage}</p>;
  return (
    <p className="row device-bar">
      <span className="device-address">{addresses?.client ?? ''}</span>
      <a href={addresses?.client ?? '#'} target="_blank" rel="noreferrer">
        {texts.ownWindow}
      </a>
      <Button className="text-button" text={texts.ownClient} onClick={() => setUi({ dialog: 'ownClient' })} />
    </p>
  );
}
