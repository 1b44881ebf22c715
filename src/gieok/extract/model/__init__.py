"""What a model reads behind the reader: it proposes, and whatever nobody said is marked as such."""

from gieok.extract.model.extractor import ModelExtractor as ModelExtractor
