/** The page that is shown when the client's settings cannot be loaded. */
import { Button } from './parts/button.tsx';

export function NoSettings({ detail, onRetry }: { detail: string; onRetry: () => void }) {
  return (
    <main className="page page-narrow">
      <div className="card" role="alert">
        <h1>My Records cannot start</h1>
        <p className="lead">The app could not load its settings. Please check your connection and try again.</p>
        <p className="hint">{detail}</p>
        <Button onPress={onRetry}>Try again</Button>
      </div>
    </main>
  );
}
