/** Takes a run.json that is dropped anywhere on the page. */
import { useEffect } from 'react';

export function useDroppedRun(onRun: (text: string) => void): void {
  useEffect(() => {
    const onDragOver = (event: DragEvent) => event.preventDefault();
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      void event.dataTransfer?.files[0]?.text().then(onRun);
    };
    document.addEventListener('dragover', onDragOver);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onDragOver);
      document.removeEventListener('drop', onDrop);
    };
  });
}
