/** The left side of the page: the people, the client in its frame, and the phone. */
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { encode } from 'uqr';
import type { HeldSession } from '../../../api.ts';
import { useConsole } from '../context.ts';
import { StepList } from '../controls/scenario.tsx';
import { partyNames } from '../format.ts';
import { Button, CopyButton, Dialog } from '../parts.tsx';
import { People } from './people.tsx';
import { Phone } from './phone.tsx';

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
    <section className="panel client-panel" aria-label={partyNames.client}>
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
              title="The client, as a patient sees it"
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
  if (isInPage)
    return <p className="device-bar">All three parties run in this page, and nothing is sent anywhere.</p>;
  return (
    <p className="row device-bar">
      <span className="device-address">{addresses?.client ?? ''}</span>
      <a href={addresses?.client ?? '#'} target="_blank" rel="noreferrer">
        own window
      </a>
      <Button className="text-button" text="your own client" onClick={() => setUi({ dialog: 'ownClient' })} />
    </p>
  );
}

function PlayedByScript() {
  const { model, act, setUi } = useConsole();
  const state = model.overview?.scenario;
  const scenario = model.overview?.scenarios.find(({ id }) => id === state?.id);

  function takeOver() {
    setUi({ scenario: '' });
    void act.takeOver();
  }

  return (
    <section className="by-script" aria-label="Played by a script">
      <h2>Played by a script</h2>
      <p>
        The console itself makes the calls of this client. Take over, and go on here from where it stands.
      </p>
      <p>
        <Button className="btn btn-primary" text="Take over" onClick={takeOver} />
      </p>
      {scenario && state && <StepList scenario={scenario} made={state.step} />}
    </section>
  );
}

export function OwnClientDialog({ onClose }: { onClose: () => void }) {
  const { model } = useConsole();
  const addresses = model.overview?.addresses;
  if (!addresses) return null;
  const rows = [
    [partyNames.client, addresses.client],
    [partyNames.auth, addresses.auth],
    [partyNames.ehr, addresses.ehr],
  ] as const;
  return (
    <Dialog title="your own client" onClose={onClose}>
      <p>Scan it, or give these addresses to a client of your own. All messages then pass the lanes.</p>
      <QrCode text={addresses.client} />
      <dl className="addresses">
        {rows.map(([name, address]) => (
          <div key={name} className="row">
            <dt>{name}</dt>
            <dd>
              <code>{address}</code> <CopyButton of={address} text="Copy" />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR: ${text}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
}

type KeptStorage = Pick<Storage, 'length' | 'key' | 'removeItem'>;
type Storages = Readonly<Record<'tab' | 'device', Pick<Storage, 'setItem'>>>;

/**
 * Writes what the client goes on with once it loads, in the form of our own client.
 * @param place the path of the client's page, such as `/client/`
 */
function keepSession(place: string, held: HeldSession, { tab, device }: Storages): void {
  const { phone, session, userSign, reportDue } = held;
  const attribute = { kind: 'phone', value: phone };
  tab.setItem(`${place} my-records.tab`, JSON.stringify({ at: 'session', attribute, session, reportDue }));
  if (userSign !== undefined) device.setItem(`${place} my-records.user-sign:phone:${phone}`, userSign);
}

/** @param place the path of the client's page, such as `/client/` */
function emptyClientStorage(place: string, storages: readonly KeptStorage[]): void {
  for (const storage of storages) {
    const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at));
    for (const key of keys) if (key?.startsWith(`${place} `)) storage.removeItem(key);
  }
}
