/** The left side of the page: the people, the client in its frame, and the phone. */
import { useConsole } from '../context.ts';
import { People } from './people.tsx';
import { Phone } from './phone.tsx';

export function ClientPanel() {
  const { model, say, setUi, filler } = useConsole();
  const addresses = model.overview?.addresses;
  return (
    <section className="panel client-panel" aria-label={say('viewClient')}>
      <People />
      <div className="device">
        <p className="device-bar">
          <span className="device-address">{addresses?.client ?? ''}</span>
          <a href={addresses?.client ?? '#'} target="_blank" rel="noreferrer">
            {say('ownWindow')}
          </a>
          <button type="button" className="text-button" onClick={() => setUi({ dialog: 'ownClient' })}>
            {say('ownClient')}
          </button>
        </p>
        {addresses && (
          <iframe
            className="device-frame"
            title={say('clientFrame')}
            src={addresses.clientFrame}
            onLoad={(event) => filler.attach(event.currentTarget)}
          />
        )}
        <Phone />
      </div>
    </section>
  );
}
