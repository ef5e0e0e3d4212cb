/** The addresses for a client of one's own, and the client's page as a QR code. */
import { encode } from 'uqr';
import { texts } from '../../texts.ts';
import { useConsole } from '../context.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';

export function OwnClientDialog({ onClose }: { onClose: () => void }) {
  const { model } = useConsole();
  const addresses = model.overview?.addresses;
  if (!addresses) return null;
  const rows = [
    ['client', addresses.client],
    ['addressAuth', addresses.auth],
    ['ehr', addresses.ehr],
  ] as const;
  return (
    <Dialog title={texts.ownClient} onClose={onClose}>
      <p>{texts.ownClientText}</p>
      <QrCode text={addresses.client} />
      <dl className="addresses">
        {rows.map(([key, address]) => (
          <div key={key} className="row">
            <dt>{texts[key]}</dt>
            <dd>
              <code>{address}</code> <CopyButton of={address} text={texts.copy} />
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
